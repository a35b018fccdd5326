// Pauses between looks at memory that others change. Many that look at it hold up those that change it.
//
// Gives:    WeftPause   how an invocation pauses: WeftPause(0u, seed) first
//           void weft_pause(inout WeftPause pause)    idles; not at all before the first weft_lengthen()
//           void weft_lengthen(inout WeftPause pause, uint longest)
//                         twice as long from now on, up to `longest` steps of 6 to 20 cycles each, which is 2^k - 1
// Macros:   none
//
// The pause computes random numbers, which set its length, so that compilers keep it; its steps do not combine into
// fewer. It lasts half to all of its steps, so that those that began together do not look together.
#ifndef WEFT_THREAD_PAUSE
#define WEFT_THREAD_PAUSE

struct WeftPause {
  uint steps;  // 2^k - 1
  uint random;
};

void weft_pause(inout WeftPause pause) {
  for (uint steps = (pause.steps + (pause.random & pause.steps)) / 2u; steps > 0u; --steps) {
    pause.random = (pause.random ^ (pause.random >> 15)) * 747796405u + 2891336453u;
  }
}

void weft_lengthen(inout WeftPause pause, uint longest) { pause.steps = min(2u * pause.steps + 1u, longest); }

#endif

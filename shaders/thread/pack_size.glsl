// The number of consecutive elements in a lane's pack: the fewest that fill whole 16-byte vectors.
//
// Gives:    WEFT_PACK         elements of a pack
//           WEFT_PACK_WORDS   and its 32-bit words
// Macros:   T_WORDS     32-bit words of an element
//           T_BYTES     optional: its size in memory if that is no multiple of 4, T_WORDS units of 1 or 2 bytes
//           WEFT_PACK   optional: another number, of whole words. Memory is then read element by element unless packs
//                       fill vectors
#ifndef WEFT_THREAD_PACK_SIZE
#define WEFT_THREAD_PACK_SIZE

#include "weft/thread/words.glsl"

#ifndef WEFT_PACK
#if T_UNIT_BYTES < 4
#define WEFT_PACK (16 / T_UNIT_BYTES)
#elif T_WORDS % 4 == 0
#define WEFT_PACK 1
#elif T_WORDS % 2 == 0
#define WEFT_PACK 2
#else
#define WEFT_PACK 4
#endif
#endif
#define WEFT_PACK_WORDS (WEFT_PACK * T_BYTES / 4)

#endif

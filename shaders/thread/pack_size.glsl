// How many consecutive elements a lane holds together: as many as fill whole 16-byte vectors.
//
// Gives:    WEFT_PACK         elements of a pack
//           WEFT_PACK_WORDS   and its 32-bit words
// Macros:   T_WORDS     32-bit words of an element
//           WEFT_PACK   optional: another number. Memory is then read word by word unless packs fill vectors.
#ifndef WEFT_THREAD_PACK_SIZE
#define WEFT_THREAD_PACK_SIZE

#ifndef WEFT_PACK
#if T_WORDS % 4 == 0
#define WEFT_PACK 1
#elif T_WORDS % 2 == 0
#define WEFT_PACK 2
#else
#define WEFT_PACK 4
#endif
#endif
#define WEFT_PACK_WORDS (WEFT_PACK * T_WORDS)

#endif

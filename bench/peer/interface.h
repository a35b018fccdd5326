#ifndef WEFT_BENCH_PEER_INTERFACE_H
#define WEFT_BENCH_PEER_INTERFACE_H

/* What `weft bench --peer` asks of a library that it opens at run time: the same work on the same data, timed by the
   device's clock. Plain C, so that any compiler can build the library. All functions are called from one thread.

   Rows, with their inputs and outputs: arrays of `count` elements unless it says otherwise.

   - reduce: x; one element, the sum.
   - scan: x; exclusive prefix sums.
   - select: x; those below `limit` in front, in order, and u64: how many.
   - select_flagged: x and flags (u8 or u32); those whose flag is not 0 in front, in order, and u64: how many.
   - partition: x; those below `limit` in front, in order, behind them the others, the last one first, and u64: how
     many are in front.
   - unique: x; the first of each run of equal elements in front, and u64: how many.
   - run_length: x; elements of the runs, their lengths (u32 or u64), and u64: how many runs.
   - reduce_by_key: keys and values; keys of the runs, sums of their values, and u64: how many runs.
   - scan_by_key: keys and values; exclusive prefix sums of the values that start anew at each run of equal keys.
   - histogram: x; `bins` counts (u32 or u64) of equal ranges from `lower` to below `upper`.
   - sort_keys: keys; keys in ascending order.
   - sort_pairs: keys and values; both in ascending order of the keys, stable.
   - merge: two sorted arrays, of `count` elements together; both as one sorted array.
   - merge_sort and merge_sort_pairs: as sort_keys and sort_pairs, by a comparison.
   - segmented_reduce: x and offsets (u32 or u64), one more than there are segments; one sum for each segment.
   - segmented_sort: likewise; the elements of each segment in ascending order. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WEFT_PEER_EXPORT __attribute__((visibility("default")))

enum { weft_peer_interface_version = 3 };

typedef enum weft_peer_status {
  weft_peer_done = 0,
  weft_peer_unsupported = 1, /* The library has no such row, type or size. */
  weft_peer_failed = 2
} weft_peer_status;

typedef struct weft_peer_array {
  const char* type; /* Of an element: u8, i8, ... u64, i64, f32, f64. */
  uint64_t bytes;
  const void* data; /* In host memory; of outputs null. Not used after weft_peer_prepare(). */
} weft_peer_array;

typedef struct weft_peer_problem {
  const char* row;
  const weft_peer_array* inputs;
  const weft_peer_array* outputs;
  uint32_t input_count, output_count;
  uint64_t count;
  uint32_t sets;      /* Copies of all arrays to rotate among, so that caches do not hold the next run's input. */
  const char* device; /* Name of the device that the figures are put beside, */
  int32_t ordinal;    /* and its number among CUDA's, -1 when that is not known. */
  uint64_t bins;      /* Of a histogram. */
  double limit, lower, upper;
} weft_peer_problem;

typedef struct weft_peer_case weft_peer_case;

/* weft_peer_interface_version of the header that the library was built with. */
WEFT_PEER_EXPORT uint32_t weft_peer_interface(void);
/* The library's name and version, for people. */
WEFT_PEER_EXPORT const char* weft_peer_name(void);
/* What went wrong in the last call that did not return weft_peer_done. */
WEFT_PEER_EXPORT const char* weft_peer_message(void);

/* Copies the inputs to the device. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared);
/* A library may offer one row in several forms, and leave the choice to its callers: with counts of 32 or of 64 bits,
   say. All of them are timed, and the fastest is the peer. At least 1. */
WEFT_PEER_EXPORT uint32_t weft_peer_forms(const weft_peer_case* prepared);
/* What sets a form apart, for people; empty where there is only one. */
WEFT_PEER_EXPORT const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form);
/* Fills the outputs of all sets with a pattern. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_poison(weft_peer_case* prepared);
/* Puts so many runs of a form, each on the next set, behind those that were submitted before; returns without waiting
   for them. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs);
/* Waits for the oldest submission; the seconds of each of its runs. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds);
/* An output of a set, as rows describe it and as large as the problem says. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t set, void* data);
WEFT_PEER_EXPORT void weft_peer_release(weft_peer_case* prepared);

#ifdef __cplusplus
}
#endif

#endif

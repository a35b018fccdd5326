#ifndef WEFT_BENCH_PEER_INTERFACE_H
#define WEFT_BENCH_PEER_INTERFACE_H

/* The interface of a library that `weft bench --peer` opens at run time. The library does the same work on the same
   data, timed by the device's clock. Plain C, so that any compiler can build the library. All calls come from one
   thread.

   Rows, with their inputs and then their outputs. Arrays have `count` elements unless stated otherwise. "Number" is an
   output of type u64.

   - copy: x; the same elements.
   - reduce: x; one element, the sum.
   - scan: x; exclusive prefix sums.
   - select: x; elements below `limit` in order, and their number.
   - select_flagged: x and flags (u8 or u32); elements with a nonzero flag in order, and their number.
   - partition: x; elements below `limit` in order, then the others in reverse order, and the number of the former.
   - unique: x; the first element of each run of equal elements, and their number.
   - run_length: x; the element of each run, its length (u32 or u64), and the number of runs.
   - reduce_by_key: keys and values; the key of each run, the sum of its values, and the number of runs.
   - scan_by_key: keys and values; exclusive prefix sums of the values, restarting at each run of equal keys.
   - histogram: x; `bins` counts (u32 or u64), for equal ranges from `lower` to below `upper`.
   - sort_keys: keys; keys in ascending order.
   - sort_pairs: keys and values; both in ascending order of the keys, stable.
   - merge: two sorted arrays with `count` elements together; one sorted array.
   - merge_sort and merge_sort_pairs: like sort_keys and sort_pairs, by a comparison.
   - segmented_reduce: x and offsets (u32 or u64), one more than there are segments; the sum of each segment.
   - hash_insert: keys (u32 or u64) and values (u32); the number of different keys.
   - hash_find: different keys, values and `count` queries; the values (u32) of queries that are keys, others unchanged,
     and the number of these queries.
   - segmented_sort: x and offsets as above; the elements of each segment in ascending order.
   - bvh_build: boxes (f32: low corner, high corner); nodes as weft/lbvh.h has them (u32), the box of each leaf and its
     parent (u32), and the box around all (f32).
   - bvh_rays: boxes, and `count` rays (f32: origin, t_min, direction, t_max); for each ray the first box that it hits
     (u32) and its t, or 2^32 - 1 and infinity.
   - saxpy, stencil, mandelbrot, n-body, black-scholes, noise, bitonic, matrix: as bench/user_kernels.h has them. */

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
  const char* type; /* Element type: u8, i8, ... u64, i64, f32, f64. */
  uint64_t bytes;
  const void* data; /* In host memory; null for outputs. Not used after weft_peer_prepare(). */
} weft_peer_array;

typedef struct weft_peer_problem {
  const char* row;
  const weft_peer_array* inputs;
  const weft_peer_array* outputs;
  uint32_t input_count, output_count;
  uint64_t count;
  uint32_t sets;      /* Copies of all arrays to rotate among, so that caches do not hold the next run's input. */
  const char* device; /* Name of the device that runs our side. */
  int32_t ordinal;    /* CUDA's number of that device; -1 if unknown. */
  uint64_t bins;      /* For histograms. */
  double limit, lower, upper;
} weft_peer_problem;

typedef struct weft_peer_case weft_peer_case;

/* Returns weft_peer_interface_version of the header that the library was built with. */
WEFT_PEER_EXPORT uint32_t weft_peer_interface(void);
/* Returns the library's name and version, for people. */
WEFT_PEER_EXPORT const char* weft_peer_name(void);
/* Returns the error message of the last call that did not return weft_peer_done. */
WEFT_PEER_EXPORT const char* weft_peer_message(void);

/* Copies the inputs to the device. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_prepare(const weft_peer_problem* problem, weft_peer_case** prepared);
/* Returns the number of forms, at least 1. A library may offer several forms of one row, e.g. with 32-bit and 64-bit
   counts, and leave the choice to its callers. All are timed, and the fastest counts. */
WEFT_PEER_EXPORT uint32_t weft_peer_forms(const weft_peer_case* prepared);
/* Returns the name of a form, for people; empty if there is only one. */
WEFT_PEER_EXPORT const char* weft_peer_form(const weft_peer_case* prepared, uint32_t form);
/* Fills the outputs of all sets with a pattern. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_poison(weft_peer_case* prepared);
/* Submits `runs` runs of a form, each on the next set, behind the earlier submissions. Returns without waiting. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_submit(weft_peer_case* prepared, uint32_t form, uint32_t runs);
/* Waits for the oldest submission, and writes the seconds of each of its runs. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_finish(weft_peer_case* prepared, double* seconds);
/* Reads an output of a set, in the form given by the row and with the size given by the problem. */
WEFT_PEER_EXPORT weft_peer_status weft_peer_read(weft_peer_case* prepared, uint32_t output, uint32_t set, void* data);
WEFT_PEER_EXPORT void weft_peer_release(weft_peer_case* prepared);

#ifdef __cplusplus
}
#endif

#endif

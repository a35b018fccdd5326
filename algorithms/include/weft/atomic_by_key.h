#pragma once

#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// Combines values into a table by key: table[key] = table[key] op value. Keys may come in any order. For each run of
/// equal keys a subgroup issues one atomic, which pays off for partially sorted keys. The shader library has the same
/// as functions: weft/subgroup/runs.glsl and peers.glsl. (Adinets 2014, warp-aggregated atomics; Westphal 2015, voting
/// and shuffling.)
///
/// Integer results are the same everywhere. Floats are combined in a different order in each run, so their last digits
/// differ.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API AtomicReduceByKey {
 public:
  struct Options {
    /// Also merges equal keys that are not neighbours, anywhere in a subgroup: for few distinct keys, or a few frequent
    /// ones, in random order. A subgroup stops looking once it meets keys that occur in one lane only, so other keys
    /// cost little. Not for CPUs, whose atomics cost less than the search.
    bool scattered_keys = false;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` values of 4 or 8 bytes, scalars or structs. Throws invalid_argument for values of
  /// another size, for more than 1 TiB of them, for an operator that is not commutative, and for a scalar operator on
  /// structs; unsupported for values of 8 bytes if the device has no 64-bit atomics on buffers; compile_failed if the
  /// operator does not compile.
  AtomicReduceByKey(const Device& device, const Element& element, const Operator& op, uint64_t max_count,
                    const Options& options);
  AtomicReduceByKey(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  struct Arguments {
    Region keys;    ///< At least `count` 32-bit unsigned integers. Values whose key is beyond the table are ignored.
    Region values;  ///< At least `count` values.
    Region table;   ///< Up to 4 GiB of elements, at a multiple of their size. Values are combined with its contents:
                    ///< fill it with the operator's identity first. Of floats, min and max have NaN; with infinity
                    ///< or -infinity instead, that is the result for keys that have only NaNs.
    Count count;
  };
  /// Throws invalid_argument if a region is too small, too large or misaligned, if it overlaps one that it may not
  /// share memory with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft

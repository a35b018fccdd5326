#pragma once

#include <memory>
#include <optional>
#include <string>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/equality.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

namespace algorithms {
class SegmentsPlan;
}

/// Combines the values of each run of equal keys. Gives the first key of each run, its total, and the number of runs.
/// Keys are compared only with their neighbours: sort them first to get one total for each key.
///
/// look_back reads keys and values once and writes each run once; reduce_then_scan reads them twice. Integer results
/// are the same everywhere; floating-point results depend on the device's tile size and, with look_back, may differ
/// between runs in the last digits. (Schwartz 1980, scans over segments; Merrill and Garland 2016, decoupled
/// look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API ReduceByKey {
 public:
  struct Options {
    Equality equality{};
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` keys. Throws unsupported if the device lacks a type, compile_failed if the operator
  /// or the equality does not compile, invalid_argument for more than 1 TiB of keys or values and for a scalar operator
  /// on structs.
  ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count,
              const Options& options);
  ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count);

  /// The path that the plan takes, never automatic.
  TilePath path() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;         ///< At least `count` keys, at a multiple of the key's alignment.
    Region values;       ///< At least `count` values, at a multiple of the value's alignment.
    Region unique_keys;  ///< Room for `count` keys: the first of each run. The rest is left as it was.
    Region output;       ///< Room for `count` values: the total of each run.
    CountOutput runs;    ///< One word: the number of runs.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Prefix scan of values that restarts at each run of equal keys. Otherwise like Scan: any associative operator, and
/// the same speed and exactness on each path. (Schwartz 1980, scans over segments.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API ScanByKey {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    Equality equality{};
    TilePath path = TilePath::automatic;
    std::string initial{};           ///< GLSL expression of a T that precedes the values of each run; empty: none.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Throws what ReduceByKey does, and compile_failed if the initial element does not compile.
  ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count,
            const Options& options);
  ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count);

  TilePath path() const;
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;    ///< At least `count` keys, at a multiple of the key's alignment.
    Region input;   ///< At least `count` values, at a multiple of the value's alignment.
    Region output;  ///< Room for `count` values. May be the same region as input.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Combines the values of each run of equal keys and returns the number of runs. Waits for the result. The stream keeps
/// the plan.
WEFT_API uint64_t reduce_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op,
                                const Equality& equality, const ElementMemory& keys, const ElementMemory& values,
                                const ElementMemory& unique_keys, const ElementMemory& output);

template <ReadableMemory K, ReadableMemory V>
uint64_t reduce_by_key(Stream& stream, const K& keys, const V& values, const View<ValueIn<K>>& unique_keys,
                       const View<ValueIn<V>>& output, const Operator& op = Operator::sum()) {
  return reduce_by_key(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), op, Equality::own(), keys, values,
                       unique_keys, output);
}

/// Records a scan of all of `input` by `keys` into `output`, which may be the same memory. The stream keeps the plan
/// and its temporary storage.
WEFT_API void scan_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op, ScanKind kind,
                          const Equality& equality, const ElementMemory& keys, const ElementMemory& input,
                          const ElementMemory& output);

template <ReadableMemory K, ReadableMemory V>
void scan_by_key(Stream& stream, ScanKind kind, const K& keys, const V& input, const View<ValueIn<V>>& output,
                 const Operator& op = Operator::sum()) {
  scan_by_key(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), op, kind, Equality::own(), keys, input,
              output);
}

}  // namespace weft

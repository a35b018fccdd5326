#pragma once

#include <memory>
#include <string>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/memory.h>
#include <weft/operator.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

namespace algorithms {
class SegmentsPlan;
}

/// Combines the values of each run of equal keys: the first key of each run, what its values come to, and how many runs
/// there are. Keys are compared with their neighbours only; sort them first for one total of each key.
///
/// look_back reads keys and values once and writes each run once; reduce_then_scan reads them twice. Integer results
/// are the same everywhere; floating-point results depend on the device's tile size and, with look_back, may differ
/// between runs in the last places. (Schwartz 1980, scans over segments; Merrill and Garland 2016, decoupled
/// look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class ReduceByKey {
 public:
  struct Options {
    Equality equality;
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` keys. Throws unsupported when the device lacks a type, compile_failed when the
  /// operator or the equality does not compile, invalid_argument for more keys or values than 1 TiB holds and for an
  /// operator of scalars on structs.
  ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count,
              const Options& options);
  ReduceByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count);

  /// The path taken, never automatic.
  TilePath path() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;         ///< At least `count` keys, at a multiple of the key's alignment.
    Region values;       ///< As many values, likewise.
    Region unique_keys;  ///< Room for `count` keys: the first of each run. What lies behind the runs stays as it was.
    Region output;       ///< Room for `count` values: what each run comes to.
    Region runs;         ///< One 64-bit word: how many runs there are.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Prefix scan of values that starts anew at each run of equal keys. Otherwise as Scan: any associative operator, any
/// order of speed and exactness that its paths have. (Schwartz 1980, scans over segments.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class ScanByKey {
 public:
  struct Options {
    ScanKind kind = ScanKind::exclusive;
    Equality equality;
    TilePath path = TilePath::automatic;
    std::string initial{};  ///< GLSL expression of a T that comes before the values of each run; none when empty.
  };

  /// As ReduceByKey's; compile_failed when the initial element does not compile, too.
  ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count,
            const Options& options);
  ScanByKey(const Device& device, const Element& key, const Element& value, const Operator& op, uint64_t max_count);

  TilePath path() const;
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region keys;    ///< At least `count` keys, at a multiple of the key's alignment.
    Region input;   ///< As many values, likewise.
    Region output;  ///< As many. May be the same region as input.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  std::shared_ptr<const algorithms::SegmentsPlan> plan_;
};

/// Combines the values of each run of equal keys and returns how many runs there are. Waits for it; keeps its plan in
/// the stream.
uint64_t reduce_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op,
                       const Equality& equality, const ElementMemory& keys, const ElementMemory& values,
                       const ElementMemory& unique_keys, const ElementMemory& output);

template <ReadableMemory K, ReadableMemory V>
uint64_t reduce_by_key(Stream& stream, const K& keys, const V& values, const View<ValueIn<K>>& unique_keys,
                       const View<ValueIn<V>>& output, const Operator& op = Operator::sum()) {
  return reduce_by_key(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), op, Equality::own(), keys, values,
                       unique_keys, output);
}

/// Records a scan of all of `input` by `keys` into `output`, which may be the same as input. Keeps its plan and
/// temporary storage in the stream.
void scan_by_key(Stream& stream, const Element& key, const Element& value, const Operator& op, ScanKind kind,
                 const Equality& equality, const ElementMemory& keys, const ElementMemory& input,
                 const ElementMemory& output);

template <ReadableMemory K, ReadableMemory V>
void scan_by_key(Stream& stream, ScanKind kind, const K& keys, const V& input, const View<ValueIn<V>>& output,
                 const Operator& op = Operator::sum()) {
  scan_by_key(stream, Element::of<ValueIn<K>>(), Element::of<ValueIn<V>>(), op, kind, Equality::own(), keys, input,
              output);
}

}  // namespace weft

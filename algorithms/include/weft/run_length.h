#pragma once

#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/equality.h>
#include <weft/stream.h>
#include <weft/tile_path.h>
#include <weft/tuning.h>

namespace weft {

/// Run-length encoding: the first element and the length of each run, and the number of runs.
///
/// look_back reads each element once and writes each run once; reduce_then_scan reads elements twice. Results are the
/// same in every run and on every device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API RunLengthEncode {
 public:
  struct Options {
    Equality equality{};
    TilePath path = TilePath::automatic;
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` elements. Throws unsupported if the device lacks the element's type, compile_failed
  /// if the equality does not compile, invalid_argument for more than 1 TiB of elements.
  RunLengthEncode(const Device& device, const Element& element, uint64_t max_count, const Options& options);
  RunLengthEncode(const Device& device, const Element& element, uint64_t max_count);

  /// The path that the plan takes, never automatic.
  TilePath path() const;
  /// Bytes of a length, an unsigned integer: 4, or 8 for a maximum of about 2^32 elements or more.
  uint32_t length_bytes() const;
  /// Bytes of temporary storage, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;      ///< At least `count` elements, at a multiple of the element's alignment.
    Region output;     ///< Room for `count` elements: the first of each run.
    Region lengths;    ///< Room for `count` lengths. Memory after those of the runs is left as it was.
    CountOutput runs;  ///< One word: the number of runs.
    Count count;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Run-length decoding: repeats each value `length` times, which may be 0.
///
/// Scans the lengths, then makes one pass over the output. Work is divided by elements of the output, whatever the
/// lengths are. Results are the same in every run and on every device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API RunLengthDecode {
 public:
  struct Options {
    TilePath path = TilePath::automatic;  ///< Path of the scan.
    std::optional<Tuning> tuning{};       ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_runs` runs of up to `max_count` elements in total. Throws unsupported if the device lacks
  /// the element's type, or 64-bit integers if lengths have 64 bits; invalid_argument for more than 1 TiB of elements
  /// or lengths.
  RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count,
                  const Options& options);
  RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count);

  /// The path that the plan takes, never automatic.
  TilePath path() const;
  /// Bytes of a length: 4, or 8 for a maximum of about 2^32 elements or runs.
  uint32_t length_bytes() const;
  /// Bytes of temporary storage. Grows with max_runs and max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region values;        ///< At least `runs` elements, at a multiple of the element's alignment.
    Region lengths;       ///< At least `runs` lengths. Their sum is at most max_count.
    Region output;        ///< Room for the elements. Those that do not fit are dropped.
    CountOutput decoded;  ///< One word: the number of elements written.
    Count runs;
    Region temporary;  ///< temporary_bytes() bytes at any address, uninitialized. Overwritten.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the number of runs exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Encodes all of `input` and returns the number of runs. Waits for the result. The stream keeps the plan. Throws
/// invalid_argument for about 2^32 elements or more, whose lengths need 64 bits.
WEFT_API uint64_t run_length_encode(Stream& stream, const Element& element, const Equality& equality,
                                    const ElementMemory& input, const ElementMemory& output,
                                    const View<uint32_t>& lengths);

template <ReadableMemory M>
uint64_t run_length_encode(Stream& stream, const M& input, const View<ValueIn<M>>& output,
                           const View<uint32_t>& lengths, const Equality& equality = {}) {
  return run_length_encode(stream, Element::of<ValueIn<M>>(), equality, input, output, lengths);
}

}  // namespace weft

#pragma once

#include <memory>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/equality.h>
#include <weft/memory.h>
#include <weft/scan.h>
#include <weft/stream.h>

namespace weft {

/// Run-length encoding: the first element of each run of equal neighbours, how long the run is, and how many there are.
///
/// look_back reads each element once and writes each run once; reduce_then_scan reads elements twice. The result is the
/// same on every run and device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class RunLengthEncode {
 public:
  struct Options {
    Equality equality;
    TilePath path = TilePath::automatic;
  };

  /// Compiles for up to `max_count` elements. Throws unsupported when the device lacks the element's type,
  /// compile_failed when the equality does not compile, invalid_argument for more elements than 1 TiB holds.
  RunLengthEncode(const Device& device, const Element& element, uint64_t max_count, const Options& options);
  RunLengthEncode(const Device& device, const Element& element, uint64_t max_count);

  /// The path taken, never automatic.
  TilePath path() const;
  /// Bytes of a length, an unsigned integer: 4, or 8 for a maximum of about 2^32 elements and more.
  uint32_t length_bytes() const;
  /// Bytes of temporary storage that record() needs, a multiple of 16. Grows with max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region input;    ///< At least `count` elements, at a multiple of the element's alignment.
    Region output;   ///< Room for `count` elements; the first of each run.
    Region lengths;  ///< Room for `count` lengths; what lies behind the runs stays.
    Region runs;     ///< One 64-bit word: how many runs there are.
    Count count;
    Region temporary;  ///< temporary_bytes(), wherever they start; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Run-length decoding: each value as often as its length says, 0 times too.
///
/// A scan of the lengths, then one pass over the output, cut by its elements whatever the lengths are. The result is
/// the same on every run and device. (Merrill and Garland 2016, decoupled look-back.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class RunLengthDecode {
 public:
  struct Options {
    TilePath path = TilePath::automatic;  ///< Of the scan.
  };

  /// Compiles for up to `max_runs` runs of up to `max_count` elements together. Throws unsupported when the device
  /// lacks the element's type, or 64-bit integers where lengths have 64 bits, invalid_argument for more elements or
  /// lengths than 1 TiB holds.
  RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count,
                  const Options& options);
  RunLengthDecode(const Device& device, const Element& element, uint64_t max_runs, uint64_t max_count);

  /// The path taken, never automatic.
  TilePath path() const;
  /// Bytes of a length: 4, or 8 where there may be about 2^32 elements or runs.
  uint32_t length_bytes() const;
  /// Bytes of temporary storage that record() needs. Grows with max_runs and max_count.
  uint64_t temporary_bytes() const;

  struct Arguments {
    Region values;   ///< At least `runs` elements, at a multiple of the element's alignment.
    Region lengths;  ///< As many lengths. Their sum is at most max_count.
    Region output;   ///< Room for the elements: what does not fit is left out.
    Region decoded;  ///< One 64-bit word: how many elements were written.
    Count runs;
    Region temporary;  ///< temporary_bytes(), at any address; its contents do not matter before and after.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// there are more runs than the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Encodes all of `input` and returns how many runs there are. Waits for it; keeps its plan in the stream. Throws
/// invalid_argument for about 2^32 elements and more, whose lengths would need 64 bits.
uint64_t run_length_encode(Stream& stream, const Element& element, const Equality& equality, const ElementMemory& input,
                           const ElementMemory& output, const View<uint32_t>& lengths);

template <ReadableMemory M>
uint64_t run_length_encode(Stream& stream, const M& input, const View<ValueIn<M>>& output,
                           const View<uint32_t>& lengths, const Equality& equality = {}) {
  return run_length_encode(stream, Element::of<ValueIn<M>>(), equality, input, output, lengths);
}

}  // namespace weft

#pragma once

#include <memory>
#include <optional>

#include <weft/api.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/stream.h>
#include <weft/tuning.h>

namespace weft {

/// The bins of a histogram. A plain value.
struct Bins {
  uint32_t count = 0;
  bool by_edges = false;
  double lower = 0, upper = 0;  ///< For even(): the first number inside, and the first one after the last bin.
  bool closed = false;          ///< The last bin also has its upper end, as in NumPy.

  /// `count` bins of equal width over [lower, upper).
  ///
  /// The bin of an integer x is floor((x - lower) * count / (upper - lower)), exactly; lower and upper must be whole.
  /// The bin of a float x is floor((x - lower) * (count / (upper - lower))) in single precision, with the factor
  /// rounded once and the product at most count - 1. Both are the same on every device.
  static Bins even(uint32_t count, double lower, double upper) { return {count, false, lower, upper, false}; }
  /// `count` bins between count + 1 ascending edges in device memory, of the samples' type. Bin b holds each x with
  /// edges[b] <= x < edges[b+1].
  static Bins edges(uint32_t count) { return {count, true, 0, 0, false}; }
};

/// Counts the samples in each bin. Samples outside the range, and NaNs, are not counted.
///
/// Persistent workgroups count in workgroup memory, in several copies by lane, and add their counts to the output at
/// the end. Bins that do not fit into workgroup memory are counted in device memory. Samples of 8 bits are counted by
/// value first; then each value is assigned to its bin. With few copies and no weights, lanes with the same bin are
/// added up first, so that skewed samples collide less. Results are the same in every run and on every device. Reads
/// each sample once. (Shams and Kennedy 2007, Gómez-Luna and others 2013, histograms on GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class WEFT_API Histogram {
 public:
  struct Options {
    uint32_t channels = 1;           ///< Samples of an item, 1 to 4 (RGBA). Each channel has a histogram of its own.
    uint32_t counted = 0;            ///< Number of leading channels to count; 0: all.
    bool weighted = false;           ///< Each item counts by a 32-bit unsigned weight instead of 1.
    bool wide = false;               ///< 64-bit counts. Otherwise counts have 32 bits and wrap.
    std::optional<Tuning> tuning{};  ///< Overrides the device's tuning.
  };

  /// Compiles for up to `max_count` items of `channels` samples each. Samples are integers, or floats of up to 32 bits.
  /// Throws unsupported for others, and if the device lacks the element's type; invalid_argument for no bins, more than
  /// 2^20 bins, more than 4 channels, an empty range, or more than 1 TiB of samples.
  Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count, const Options& options);
  Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count);

  /// Whether bins are counted in workgroup memory, as for all samples of 8 bits, or in device memory.
  bool in_workgroup_memory() const;

  struct Arguments {
    Region input;  ///< At least `count` items of `channels` samples, at a multiple of the element's alignment.
    Region edges;  ///< For Bins::edges(): `bins.count` + 1 edges for each counted channel, one channel after the other.
                   ///< Otherwise empty.
    Region weights;  ///< For `weighted`: `count` 32-bit words. Otherwise empty.
    Region output;   ///< Counts of the bins, one counted channel after the other: 32-bit words, or 64-bit if `wide`.
    Count count;     ///< Number of items.
  };
  /// Throws invalid_argument if a region is too small or misaligned, if it overlaps one that it may not share memory
  /// with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records the histogram of all of `input` into `output`, one 32-bit word for each bin. The stream keeps the plan.
WEFT_API void histogram(Stream& stream, const Element& element, const Bins& bins, const ElementMemory& input,
                        const ElementMemory& edges, const Region& output);

template <ReadableMemory M>
void histogram(Stream& stream, double lower, double upper, const M& input, const View<uint32_t>& output) {
  histogram(stream, Element::of<ValueIn<M>>(), Bins::even(uint32_t(output.size()), lower, upper), input, {}, output);
}

}  // namespace weft

#pragma once

#include <memory>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/stream.h>

namespace weft {

/// The bins of a histogram. A plain value.
struct Bins {
  uint32_t count = 0;
  bool by_edges = false;
  double lower = 0, upper = 0;  ///< Of even(): the first number inside and the first one behind.

  /// `count` bins of the same width over [lower, upper).
  ///
  /// Of integers, bin floor((x - lower) * count / (upper - lower)), exactly, with whole lower and upper. Of floats,
  /// floor((x - lower) * (count / (upper - lower))) in single precision, with the factor rounded once and the product
  /// at most count - 1: the same on every device.
  static Bins even(uint32_t count, double lower, double upper) { return {count, false, lower, upper}; }
  /// `count` bins between count + 1 edges in ascending order, of the samples' type, given in device memory: bin b holds
  /// the x with edges[b] <= x < edges[b+1].
  static Bins edges(uint32_t count) { return {count, true, 0, 0}; }
};

/// Counts how many samples fall into each bin. Samples outside of the bins' range, and NaN, are in none.
///
/// Workgroups that stay count in shared memory, in several copies by lane, and add what they counted to the output at
/// their end. Bins that do not fit into shared memory are counted in device memory. Samples of 8 bits are counted by
/// their value, and bins are looked up once for each value. Where there are few copies or none,
/// and no weights, lanes that count in one bin meet before, so that samples that all fall into one bin collide little.
/// The result is the same on every run and device. Reads each sample once. (Shams and Kennedy 2007, Gómez-Luna and
/// others 2013, histograms on GPUs.)
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class Histogram {
 public:
  struct Options {
    uint32_t channels = 1;  ///< 1 to 4 samples side by side (RGBA), each with a histogram of its own.
    uint32_t counted = 0;   ///< How many of them are counted, from the first on; 0: all.
    bool weighted = false;  ///< Each place counts as a 32-bit unsigned weight in place of one.
    bool wide = false;      ///< Counts of 64 bits; otherwise of 32, and sums above wrap.
  };

  /// Compiles for up to `max_count` places of `channels` samples each. Samples are integers, and floats of up to 32
  /// bits. Throws unsupported for others, or when the device lacks the element's type; invalid_argument when there are
  /// no bins, more than 2^20, more than 4 channels, a range that holds nothing, or more samples than 1 TiB holds.
  Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count, const Options& options);
  Histogram(const Device& device, const Element& element, const Bins& bins, uint64_t max_count);

  /// Whether the bins are counted in shared memory, as samples of 8 bits always are; otherwise in device memory.
  bool in_shared_memory() const;

  struct Arguments {
    Region input;    ///< `count` times `channels` samples, at a multiple of the element's alignment.
    Region edges;    ///< For Bins::edges(): count + 1 for each counted channel, one channel after the other. Otherwise
                     ///< empty.
    Region weights;  ///< For `weighted`: `count` 32-bit words. Otherwise empty.
    Region output;   ///< The bins' counts, one counted channel after the other: words of 32 bits, of 64 for `wide`.
    Count count;     ///< Of places.
  };
  /// Throws invalid_argument when a region is too small, misaligned, or over one that it may not share memory with, or
  /// the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// Records the histogram of all of `input` into `output`, one word for each bin. Keeps its plan in the stream.
void histogram(Stream& stream, const Element& element, const Bins& bins, const ElementMemory& input,
               const ElementMemory& edges, const Region& output);

template <ReadableMemory M>
void histogram(Stream& stream, double lower, double upper, const M& input, const View<uint32_t>& output) {
  histogram(stream, Element::of<ValueIn<M>>(), Bins::even(uint32_t(output.size()), lower, upper), input, {}, output);
}

}  // namespace weft

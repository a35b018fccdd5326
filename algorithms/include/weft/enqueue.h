#pragma once

#include <memory>

#include <weft/api.h>
#include <weft/compact.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

namespace weft {

/// How invocations claim slots of a queue.
enum class EnqueueVariant {
  naive,       ///< One atomic for each element.
  subgroup,    ///< One atomic for each subgroup: a ballot ranks its lanes (warp-aggregated atomics).
  multi_item,  ///< One atomic for each workgroup, whose invocations take several elements each.
  complement,  ///< Like multi_item, into two queues: the selected elements and the others.
};

/// Appends the selected elements to a queue. The set of elements is the same in every run, their order is not; use
/// Compact if order matters.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open. The shader library has the same variants as
/// functions for your own kernels: weft/device/enqueue.glsl. (Adinets 2014, warp-aggregated atomics.)
class WEFT_API Enqueue {
 public:
  /// Compiles for up to `max_count` elements. The selection must be an expression, Selection::when(). Throws
  /// unsupported if the device lacks the element's type, or 64-bit atomics for a maximum of 2^32 or more;
  /// compile_failed if the expression does not compile; invalid_argument for another kind of selection and for more
  /// than 1 TiB of elements.
  Enqueue(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
          EnqueueVariant variant);

  struct Arguments {
    Region input;        ///< At least `count` elements, at a multiple of the element's alignment.
    Region output;       ///< Room for `count` elements.
    Region others;       ///< For complement: room for `count` elements. Otherwise empty.
    CountOutput queued;  ///< One word: the number of elements in `output`. For complement a second one: the number in
                         ///< `others`.
    Count count;
  };
  /// Sets the counts to zero, then appends. Throws invalid_argument if a region is too small or misaligned, if it
  /// overlaps one that it may not share memory with, or if the count exceeds the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft

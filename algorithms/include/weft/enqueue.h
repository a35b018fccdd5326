#pragma once

#include <memory>

#include <weft/compact.h>
#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/stream.h>

namespace weft {

/// How invocations claim their places in a queue.
enum class EnqueueVariant {
  naive,       ///< One atomic for each element.
  subgroup,    ///< One atomic for each subgroup: a ballot ranks its lanes (warp-aggregated atomics).
  multi_item,  ///< One atomic for each workgroup, which takes several elements an invocation.
  complement,  ///< As multi_item, into two queues: the selected and the others.
};

/// Puts the selected elements in a queue, in no particular order: the set is the same on every run, the order is not.
/// Use Compact where order matters.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open. The shader library has the same variants as calls
/// for a kernel of your own: weft/device/enqueue.glsl. (Adinets 2014, warp-aggregated atomics.)
class Enqueue {
 public:
  /// Compiles for up to `max_count` elements; `selection` is an expression, Selection::when(). Throws unsupported when
  /// the device lacks the element's type, or 64-bit atomics for a maximum of 2^32 and more; compile_failed when the
  /// expression does not compile; invalid_argument for another selection and for more elements than 1 TiB holds.
  Enqueue(const Device& device, const Element& element, const Selection& selection, uint64_t max_count,
          EnqueueVariant variant);

  struct Arguments {
    Region input;   ///< At least `count` elements, at a multiple of the element's alignment.
    Region output;  ///< Room for `count` elements.
    Region others;  ///< For complement: room for `count` elements. Otherwise empty.
    Region queued;  ///< 64-bit words: how many are in output and, for complement, a second one: how many in others.
    Count count;
  };
  /// Sets the counts to zero, then enqueues. Throws invalid_argument when a region is too small, misaligned, or over
  /// one that it may not share memory with, or the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft

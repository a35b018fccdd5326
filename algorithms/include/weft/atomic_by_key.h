#pragma once

#include <memory>

#include <weft/count.h>
#include <weft/device.h>
#include <weft/element.h>
#include <weft/operator.h>
#include <weft/stream.h>

namespace weft {

/// Combines values into the cells of a table that their keys name: table[key] = table[key] op value. Keys may come in
/// any order; where the same ones come beside one another, as in partially sorted data, a subgroup makes one atomic of
/// each run of them (warp-aggregated atomics). The shader library has the same as a call: weft/subgroup/runs.glsl.
/// (Adinets 2014, warp-aggregated atomics.)
///
/// Integer results are the same everywhere; of floats the order of combining, and so the last places, differ between
/// runs.
///
/// A plan: immutable, thread-safe, copyable; keeps its device open.
class AtomicReduceByKey {
 public:
  /// Compiles for up to `max_count` values of 4 or 8 bytes: scalars or structs. Throws invalid_argument for others, for
  /// more than 1 TiB holds, and for an operator that is not commutative or is one of scalars on structs; unsupported
  /// for values of 8 bytes where the device has no 64-bit atomics on buffers; compile_failed when the operator does not
  /// compile.
  AtomicReduceByKey(const Device& device, const Element& element, const Operator& op, uint64_t max_count);

  struct Arguments {
    Region keys;    ///< At least `count` unsigned integers of 32 bits. Values of keys beyond the table are left out.
    Region values;  ///< As many elements.
    Region table;   ///< Up to 4 GiB of elements, at a multiple of their size. They count as well: fill it with the
                    ///< operator's identity for none.
    Count count;
  };
  /// Throws invalid_argument when a region is too small, too large, misaligned, or over one that it may not share
  /// memory with, or the count is above the plan's maximum.
  void record(Recorder& recorder, const Arguments& arguments) const;

 private:
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace weft

#include <weft/atomic_by_key.h>

#include <weft/error.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/runs/atomic_by_key_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

constexpr uint32_t word_bytes = 4;
constexpr uint64_t most_table_bytes = uint64_t{1} << 32;

// Push constants of shaders/kernels/runs/atomic_by_key.comp.
struct AtomicByKeyBlock {
  uint64_t keys, values, table, count_on_device, count;
  uint32_t cells, options;
};

void check(const DeviceInfo& device, const Element& element, const Operator& op) {
  if (element.bytes() != word_bytes && element.bytes() != 2 * word_bytes) {
    throw Error(ErrorCode::invalid_argument,
                "AtomicReduceByKey of " + element.name() + " of " + std::to_string(element.bytes()) +
                    " bytes; atomics need 4 or 8. ReduceByKey takes others, after a sort by key.");
  }
  if (element.bytes() == 2 * word_bytes && !has_int64_atomics(device)) {
    throw Error(ErrorCode::unsupported, "AtomicReduceByKey of " + element.name() + " cannot run on " + device.selector +
                                            " (" + device.name +
                                            "): the device has no 64-bit atomics on buffers; elements of 4 bytes need "
                                            "none, and ReduceByKey, after a sort by key, takes any.");
  }
  if (!op.commutative) {
    core::invalid("AtomicReduceByKey",
                  "operator '" + op.name + "' is not commutative, and atomics run in any order; use ReduceByKey.");
  }
}

}  // namespace

struct AtomicReduceByKey::Impl {
  Device device;
  Element element;
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;
};

AtomicReduceByKey::AtomicReduceByKey(const Device& device, const Element& element, const Operator& op,
                                     uint64_t max_count, const Options& options) {
  const PlanNote note(device, AtomicReduceByKeyParameters{element, op, max_count, options});
  check_addressable("AtomicReduceByKey", element, max_count);
  check(device.info(), element, op);
  const auto& primitive = options.scattered_keys ? tuned_atomic_by_scattered_key : tuned_atomic_by_key;
  const Tuner tuner(primitive, device.info(), tuning_of(device, options.tuning), element.bytes());
  const AtomicByKeyTuning values = tuner.at(max_count);
  Tiling tiling = make_tiling(device.info(), element, values.tile);
  tiling.rows *= tiling.pack;
  tiling.pack = 1;  // Neighbouring elements are in neighbouring lanes.
  KernelMaker maker = KernelMaker(device, "AtomicReduceByKey").element(element).op(element, op).tiling(tiling);
  const bool is_integer = element.glsl_type().find("int") != std::string::npos;
  if (is_integer && op.combine == Operator::sum().combine) maker.define("WEFT_ATOMIC_ADD");
  if (options.scattered_keys) maker.define("WEFT_MISSES", std::to_string(values.misses) + "u");
  impl_ = std::make_shared<Impl>(Impl{device, element, max_count, tiling, maker.make("runs/atomic_by_key")});
}

AtomicReduceByKey::AtomicReduceByKey(const Device& device, const Element& element, const Operator& op,
                                     uint64_t max_count)
    : AtomicReduceByKey(device, element, op, max_count, Options{}) {}

void AtomicReduceByKey::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("AtomicReduceByKey", plan.device, recorder);
  const uint32_t bytes = plan.element.bytes();
  const ResolvedCount count = checks.count(
      arguments.count, plan.max_count,
      {{"keys", arguments.keys, word_bytes, word_bytes}, {"values", arguments.values, bytes, plan.element.align()}});
  const uint64_t cells = arguments.table.bytes / bytes, most_cells = most_table_bytes / bytes;
  if (cells > most_cells) {
    core::invalid("AtomicReduceByKey", "'table' has " + std::to_string(cells) + " elements; it may have up to " +
                                           std::to_string(most_cells) + ".");
  }
  checks.region("table", arguments.table, cells * bytes, bytes);
  checks.overlaps();
  if (count.most == 0) return;
  const AtomicByKeyBlock block{
      arguments.keys.address(),     arguments.values.address(), arguments.table.address(), count.address, count.most,
      static_cast<uint32_t>(cells), count_option(count)};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(count.most), plan.device.info().limits), block);
}

}  // namespace weft

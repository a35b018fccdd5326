#include <weft/map.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kept_plans.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/base/tiling.h"
#include "algorithms/src/base/tuning.h"
#include "algorithms/src/base/user_expressions.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/scans.h"
#include "algorithms/src/scan/map_tuning.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/scan/map.glsl.
struct MapBlock {
  uint64_t source, second, destination, count_on_device, count;
  uint32_t options, unused;
};

Tiling tiling_of(const Device& device, const Element& element, const Element* from, uint64_t max_count,
                 const std::optional<Tuning>& own) {
  check_addressable("Map", element, max_count);
  const Tuner tuner(tuned_map, device.info(), tuning_of(device, own), element.bytes());
  const MapTuning tuning = tuner.at(max_count);
  if (tuning.serial_bytes > 0) return make_serial_tiling(element, from, tuning.serial_bytes);
  return make_keyed_tiling(device.info(), element, from, tuning.tile);
}

Kernel kernel_of(const KernelMaker& maker, const Tiling& tiling) {
  return maker.make(tiling.is_serial() ? "scan/map_serial" : "scan/map");
}

}  // namespace

struct Map::Impl {
  Device device;
  Element element;
  std::optional<Transform> transform;  // Without it, elements are computed from their indices.
  uint64_t max_count;
  Tiling tiling;
  Kernel kernel;

  ResolvedCount check(const Recorder& recorder, const Arguments& arguments) const;
};

ResolvedCount Map::Impl::check(const Recorder& recorder, const Arguments& arguments) const {
  ArgumentChecks checks("Map", device, recorder);
  const Element& from = transform ? transform->from : element;
  const ArgumentChecks::Holder input{"input", arguments.input, from.bytes(), from.align()},
      second{"second", arguments.second, from.bytes(), from.align()},
      output{"output", arguments.output, element.bytes(), element.align()};
  const bool two = transform && transform->two;
  if (!transform) checks.empty("input", arguments.input, "the plan computes elements from their indices");
  if (!two) checks.empty("second", arguments.second, "the plan has no transform of two inputs");
  const ResolvedCount count = two         ? checks.count(arguments.count, max_count, {input, second, output})
                              : transform ? checks.count(arguments.count, max_count, {input, output})
                                          : checks.count(arguments.count, max_count, {output});
  checks.overlaps();
  return count;
}

Map::Map(const Device& device, const Element& element, const Transform& transform, uint64_t max_count,
         const Options& options) {
  const PlanNote note(device, MapParameters{element, transform, {}, max_count, options});
  check_addressable("Map", transform.from, max_count);
  const Tiling tiling = tiling_of(device, element, &transform.from, max_count, options.tuning);
  KernelMaker maker = KernelMaker(device, "Map").element(element).tiling(tiling);
  define_transform(maker, transform);
  impl_ = std::make_shared<Impl>(Impl{device, element, transform, max_count, tiling, kernel_of(maker, tiling)});
}

Map::Map(const Device& device, const Element& element, const std::string& expression, uint64_t max_count,
         const Options& options) {
  const PlanNote note(device, MapParameters{element, {}, expression, max_count, options});
  if (expression.empty()) {
    core::invalid("Map", "without inputs it needs a GLSL expression of i, such as \"T(i)\".");
  }
  const Tiling tiling = tiling_of(device, element, nullptr, max_count, options.tuning);
  KernelMaker maker = KernelMaker(device, "Map").element(element).tiling(tiling);
  maker.expression("WEFT_ELEMENT_AT", "expression", expression, "of i");
  impl_ = std::make_shared<Impl>(Impl{device, element, std::nullopt, max_count, tiling, kernel_of(maker, tiling)});
}

Map::Map(const Device& device, const Element& element, const Transform& transform, uint64_t max_count)
    : Map(device, element, transform, max_count, Options{}) {}

Map::Map(const Device& device, const Element& element, const std::string& expression, uint64_t max_count)
    : Map(device, element, expression, max_count, Options{}) {}

void Map::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  const ResolvedCount count = plan.check(recorder, arguments);
  if (count.most == 0) return;
  const uint32_t from_bytes = plan.transform ? plan.transform->from.bytes() : 0;
  const bool second_aligned = arguments.second.address() % 16 == 0;
  const uint32_t options =
      (second_aligned ? vectors_of(plan.tiling, from_bytes, arguments.input, source_vectors) : 0u) |
      vectors(plan.tiling, arguments.output, destination_vectors) | count_option(count);
  const MapBlock block{arguments.input.address(),
                       arguments.second.address(),
                       arguments.output.address(),
                       count.address,
                       count.most,
                       options,
                       0};
  recorder.dispatch(plan.kernel, spread(plan.tiling.tiles(count.most), plan.device.info().limits), block);
}

void map(Stream& stream, const Element& element, const Transform& transform, const ElementMemory& input,
         const ElementMemory& second, const ElementMemory& output) {
  const Element& from = transform.from;
  const Region &first = elements_in("map", "input", input, from), &other = elements_in("map", "second", second, from),
               &to = elements_in("map", "output", output, element);
  if (transform.two && first.bytes != other.bytes) {
    core::invalid("map", "the inputs have " + std::to_string(first.bytes) + " and " + std::to_string(other.bytes) +
                             " bytes; these must be equal.");
  }
  const uint64_t count = first.bytes / from.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Map>(plan_key("map", element, key_of(transform), max_count), [&] {
    return std::make_shared<Map>(stream.device(), element, transform, max_count);
  });
  plan->record(stream, {first, to, count, other});
}

void map(Stream& stream, const Element& element, const std::string& expression, const ElementMemory& output) {
  const Region& to = elements_in("map", "output", output, element);
  const uint64_t count = to.bytes / element.bytes(), max_count = kept_plan_count(count);
  const auto plan = stream.cached<Map>(plan_key("map of indices", element, expression, max_count), [&] {
    return std::make_shared<Map>(stream.device(), element, expression, max_count);
  });
  plan->record(stream, {{}, to, count});
}

}  // namespace weft

#include <weft/indirect_groups.h>

#include <string>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/kernel_maker.h"
#include "algorithms/src/base/kernel_options.h"
#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/selections.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Push constants of shaders/kernels/select/indirect_groups.comp.
struct IndirectGroupsBlock {
  uint64_t groups, count_on_device, count;
  uint32_t group_size, options;
};

void check_group_size(uint32_t group_size, uint64_t most, const DeviceLimits& limits) {
  const auto fail = [&](const std::string& rule) {
    core::invalid("IndirectGroups", "'group_size' is " + std::to_string(group_size) + "; " + rule + ".");
  };
  if (group_size == 0 || group_size > UINT16_MAX) fail("it must be from 1 to 65535");
  const uint64_t groups = most / group_size + (most % group_size == 0 ? 0 : 1);
  if (groups <= limits.max_workgroup_count[0]) return;
  fail("a count of " + std::to_string(most) + " then needs " + std::to_string(groups) +
       " workgroups, and the device dispatches at most " + std::to_string(limits.max_workgroup_count[0]) + " in x");
}

}  // namespace

struct IndirectGroups::Impl {
  Device device;
  uint64_t max_count;
  Kernel kernel;
};

IndirectGroups::IndirectGroups(const Device& device, uint64_t max_count) {
  const PlanNote note(device, IndirectGroupsParameters{max_count});
  Kernel kernel = KernelMaker(device, "IndirectGroups").tiling({.workgroup = 1}).make("select/indirect_groups");
  impl_ = std::make_shared<Impl>(Impl{device, max_count, std::move(kernel)});
}

void IndirectGroups::record(Recorder& recorder, const Arguments& arguments) const {
  const Impl& plan = *impl_;
  ArgumentChecks checks("IndirectGroups", plan.device, recorder);
  const ResolvedCount count = checks.count(arguments.count, plan.max_count, {});
  check_group_size(arguments.group_size, count.most, plan.device.info().limits);
  checks.region("groups", arguments.groups, 3 * sizeof(uint32_t), sizeof(uint32_t));
  checks.overlaps();
  const IndirectGroupsBlock block{arguments.groups.region().address(), count.address, count.most, arguments.group_size,
                                  count_option(count)};
  recorder.dispatch(plan.kernel, {1, 1, 1}, block);
}

}  // namespace weft

#include "backends/host/workgroup.h"

#include <algorithm>
#include <map>

#include "backends/host/code.h"

namespace weft::host {

namespace {

// Formats sorted numbers: "0 to 30, 33".
std::string ranges(const std::vector<uint32_t>& numbers) {
  std::string text;
  for (size_t first = 0; first < numbers.size();) {
    size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(numbers[first]);
    if (last > first) text += (last == first + 1 ? ", " : " to ") + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::vector<uint32_t> lanes_of(const weft_host_mask& mask) {
  std::vector<uint32_t> lanes;
  for (uint32_t lane = 0; lane < 128; ++lane) {
    if (mask.bits[lane / 64] >> (lane % 64) & 1) lanes.push_back(lane);
  }
  return lanes;
}

std::string waiters_text(const std::string& unit, std::vector<uint32_t> indices) {
  std::ranges::sort(indices);
  return unit + (indices.size() == 1 ? " " : "s ") + ranges(indices) + (indices.size() == 1 ? " waits" : " wait");
}

}  // namespace

std::string to_text(const std::array<uint32_t, 3>& id) {
  return "(" + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " + std::to_string(id[2]) + ")";
}

std::string describe_deadlock(const Workgroup& workgroup, const std::vector<std::unique_ptr<Fiber>>& fibers,
                              const Code& code) {
  std::map<std::string, std::vector<uint32_t>> waiting;
  for (const auto& fiber : fibers) {
    if (fiber->workgroup != &workgroup || fiber->wait == Wait::nothing) continue;
    std::string where = " at " + code.site(fiber->wait_site);
    if (fiber->wait == Wait::rendezvous) {
      where += " for lanes " + ranges(lanes_of(fiber->wait_lanes)) + " of subgroup " +
               std::to_string(fiber->invocation.subgroup_id);
    }
    waiting[where].push_back(code.runs_subgroups() ? fiber->invocation.subgroup_id : fiber->invocation.local_index);
  }
  const std::string unit = code.runs_subgroups() ? "subgroup" : "invocation";
  std::string text = "Kernel '" + code.name() + "' is deadlocked in workgroup " + to_text(workgroup.id) + ": ";
  for (const auto& [where, indices] : waiting) text += waiters_text(unit, indices) + where + "; ";
  return text + std::to_string(workgroup.finished) + " of " + std::to_string(workgroup.invocations) + " " + unit +
         "s have finished. A barrier needs every invocation of the workgroup, a subgroup operation every "
         "active lane.";
}

}  // namespace weft::host

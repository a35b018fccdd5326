#include <weft/waterfall.h>

#include <algorithm>
#include <array>

#include <weft/progress.h>

#include "algorithms/src/base/tiling.h"
#include "algorithms/src/persistent/structure_memory.h"
#include "core/src/runtime/messages.h"

namespace weft {
namespace {

using namespace algorithms;

// Offsets in the WeftWaterfall of shaders/device/waterfall.glsl.
constexpr uint64_t word = 4, groups_offset = 0, begin_offset = 12, end_offset = 16, flags_offset = 32;
constexpr uint64_t most_tasks = uint64_t(1) << 30;

TaskPath chosen(const Device& device, TaskPath path) {
  if (path == TaskPath::one_dispatch) require_forward_progress(device, "Waterfall in one dispatch");
  if (path != TaskPath::automatic) return path;
  return device.info().features.workgroup_forward_progress ? TaskPath::one_dispatch : TaskPath::levels;
}

Groups groups_of(const Kernel& kernel, uint64_t tasks, const Recorder& recorder) {
  const auto size = kernel.workgroup_size();
  const uint64_t invocations = uint64_t(size[0]) * size[1] * size[2];
  return spread((tasks + invocations - 1) / invocations, recorder.device().info().limits);
}

void check_tasks(uint64_t tasks, uint64_t ready, uint64_t max_tasks) {
  if (tasks <= max_tasks && ready <= tasks) return;
  core::invalid("Waterfall", std::to_string(tasks) + " tasks were given, " + std::to_string(ready) +
                                 " of them ready; there may be " + std::to_string(max_tasks) +
                                 " tasks, and no more ready ones.");
}

}  // namespace

Waterfall::Waterfall(const Device& device, uint64_t max_tasks, TaskPath path)
    : path_(chosen(device, path)), max_tasks_(max_tasks) {
  if (max_tasks > most_tasks) {
    core::invalid("Waterfall", "a maximum of " + std::to_string(max_tasks) + " tasks was given; it may be up to " +
                                   std::to_string(most_tasks) + ".");
  }
}

std::vector<std::pair<std::string, std::string>> Waterfall::defines() const {
  if (path_ == TaskPath::levels) return {};
  return {{"WEFT_WATERFALL", "1"}};
}

uint64_t Waterfall::bytes() const { return flags_offset + (path_ == TaskPath::levels ? 0 : max_tasks_ * word); }

void Waterfall::record_start(Recorder& recorder, const Region& memory, uint64_t tasks, uint64_t ready) const {
  const bool levels = path_ == TaskPath::levels;
  fill_words(recorder, memory.part(0, flags_offset), 0);
  fill_words(recorder, memory.part(end_offset, word), uint32_t(levels ? ready : tasks));
  fill_words(recorder, memory.part(end_offset + word, word), uint32_t(ready));
  if (levels) return;
  fill_words(recorder, memory.part(flags_offset, ready * word), 1);
  fill_words(recorder, memory.part(flags_offset + ready * word, (tasks - ready) * word), 0);
}

void Waterfall::record(Recorder& recorder, const Kernel& kernel, const Arguments& arguments, const Region& memory,
                       uint64_t tasks, uint64_t ready, uint32_t max_levels) const {
  const Region all = require_memory("Waterfall", memory, bytes());
  check_tasks(tasks, ready, max_tasks_);
  record_start(recorder, all, tasks, ready);
  if (path_ == TaskPath::one_dispatch) return recorder.dispatch(kernel, groups_of(kernel, tasks, recorder), arguments);
  const Groups first = groups_of(kernel, ready, recorder);
  const std::array<uint32_t, 3> counts{first.x, first.y, first.z};
  for (size_t i = 0; i < counts.size(); ++i) fill_words(recorder, all.part(groups_offset + i * word, word), counts[i]);
  const View<const uint32_t> groups(all.part(groups_offset, counts.size() * word));
  for (uint32_t level = 0; level < max_levels; ++level) recorder.dispatch_indirect(kernel, groups, arguments);
}

void Waterfall::record(Recorder& recorder, const Kernel& kernel, const Arguments& arguments, const Region& memory,
                       std::span<const uint32_t> level_ends) const {
  const Region all = require_memory("Waterfall", memory, bytes());
  if (level_ends.empty()) return;
  if (!std::ranges::is_sorted(level_ends)) {
    core::invalid("Waterfall", "the members of level_ends must ascend.");
  }
  check_tasks(level_ends.back(), 0, max_tasks_);
  record_start(recorder, all, level_ends.back(), 0);
  if (path_ == TaskPath::one_dispatch) {
    return recorder.dispatch(kernel, groups_of(kernel, level_ends.back(), recorder), arguments);
  }
  uint32_t begin = 0;
  for (const uint32_t end : level_ends) {
    fill_words(recorder, all.part(begin_offset, word), begin);
    fill_words(recorder, all.part(end_offset, 2 * word), end);
    recorder.dispatch(kernel, groups_of(kernel, end - begin, recorder), arguments);
    begin = end;
  }
}

}  // namespace weft

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <weft/api.h>
#include <weft/device.h>
#include <weft/kernel.h>
#include <weft/stream.h>

namespace weft {

/// How tasks that depend on one another are run.
enum class TaskPath {
  automatic,     ///< one_dispatch if the device lets workgroups wait for one another, else levels.
  one_dispatch,  ///< Workgroups take tasks in order; a task waits for those that it depends on.
  levels,        ///< A dispatch for each level of tasks, which depend on earlier levels only. No workgroup waits.
};

/// The host's side of weft/device/waterfall.glsl, tasks that each depend on tasks of lower numbers: the memory of a
/// waterfall, the macros of a kernel, and its dispatches.
///
/// The memory is yours; the kernel takes its address as a WeftWaterfall. A value: copyable, thread-safe.
class WEFT_API Waterfall {
 public:
  /// For up to `max_tasks` tasks. Throws invalid_argument for more than 2^30; unsupported for one_dispatch if
  /// workgroups of the device cannot wait for one another.
  Waterfall(const Device& device, uint64_t max_tasks, TaskPath path = TaskPath::automatic);

  /// one_dispatch or levels.
  TaskPath path() const { return path_; }
  /// The macros that the kernel is compiled with: GlslOptions::defines.
  std::vector<std::pair<std::string, std::string>> defines() const;
  /// Bytes of the memory, which starts at a multiple of 4.
  uint64_t bytes() const;

  /// Records a run over `tasks` tasks. The first `ready` of them depend on nothing, and their flags are set; the kernel
  /// appends the others. Levels beyond the first `max_levels` are not run: one_dispatch has no such limit. Throws
  /// invalid_argument if the memory is too small or misaligned, or for more tasks than the maximum.
  void record(Recorder& recorder, const Kernel& kernel, const Arguments& arguments, const Region& memory,
              uint64_t tasks, uint64_t ready, uint32_t max_levels) const;

  /// The same for tasks whose levels the host knows: level k ends before task `level_ends[k]`, the last one with the
  /// last task. The kernel appends no tasks, and no flag is set. Throws invalid_argument also if the ends descend.
  void record(Recorder& recorder, const Kernel& kernel, const Arguments& arguments, const Region& memory,
              std::span<const uint32_t> level_ends) const;

 private:
  void record_start(Recorder& recorder, const Region& memory, uint64_t tasks, uint64_t ready) const;

  TaskPath path_;
  uint64_t max_tasks_;
};

}  // namespace weft

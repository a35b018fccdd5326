#pragma once

#include <weft/device.h>

#include <functional>

#include "answers.h"

struct Measurement {
  Task task = Task::bounds;
  uint64_t elements = 0;
  uint64_t bytes = 0;  ///< What must be read and written at least.
  double seconds = 0;  ///< Median over the runs, on the device's clock.
};

/// Called after each task, with the answers so far.
using TaskDone = std::function<void(const Measurement&, const Answers&)>;

/// Does every task on the device, `runs` times each after one that does not count. Throws weft::Error.
Answers run_on(const weft::Device& device, const Mesh& mesh, const Image& image, int runs, const TaskDone& done);

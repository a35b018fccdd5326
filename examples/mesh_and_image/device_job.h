#pragma once

#include <functional>

#include <weft/device.h>

#include "answers.h"

struct Measurement {
  Task task = Task::bounds;
  uint64_t elements = 0;
  uint64_t bytes = 0;  ///< Least number of bytes to read and write.
  double seconds = 0;  ///< Median over the runs, by the device's clock.
};

/// Called after each task, with the answers so far.
using TaskDone = std::function<void(const Measurement&, const Answers&)>;

/// Runs every task on the device, `runs` times each after a warm-up. Throws weft::Error.
Answers run_on(const weft::Device& device, const Mesh& mesh, const Image& image, int runs, const TaskDone& done);

#pragma once

#include <functional>
#include <string>
#include <vector>

#include <weft/weft.h>

#include "tests/translate/divergence_program.h"

/// Runs programs on devices and compares the results with the interpreter's.
namespace weft::test::divergence {

/// The form of programs for a device: as compiled by glslang, or after optimiser passes.
struct Variant {
  Shape shape;
  uint32_t passes = 0;
  bool shortened = false;

  static constexpr uint32_t count = 32;
  static Variant number(uint32_t n) {
    return {{n % 2 != 0, n / 2 % 4 != 0, n / 16 % 2 != 0}, n / 2 % 4, n / 8 % 2 != 0};
  }
  bool all_in_main() const { return shape.entry_in_main || passes == 3; }
};

/// A selector for open_device() and its subgroup size; or a name, and a function that opens the device.
struct Where {
  std::string selector;
  uint32_t subgroup_size = 0;
  std::function<Device()> opener = {};

  Device open() const { return opener ? opener() : open_device(selector); }
};

/// A device's wrong result for one program.
struct Failure {
  size_t program = 0;
  std::string what;  ///< The location and kind of the first difference; or why the program was refused.
};

/// Programs that are compiled together, with their inputs, form and devices. All follow from the run's seed and the
/// batch's index.
struct Batch {
  static constexpr size_t size = 50;

  static Batch number(uint64_t run_seed, size_t number, const std::vector<Where>& devices);
  /// These programs instead of the batch's own.
  Batch with(std::vector<Program> others) const;

  std::vector<Program> programs;
  Given given;
  Variant variant;
  std::vector<Where> devices;
};

/// Returns the host device at every subgroup size: with one of two schedules, or with subgroups as flows of control, in
/// turns over three batches.
std::vector<Where> host_devices(uint64_t run_seed, size_t batch, const DeviceOptions& options);

/// Makes branches that leave directly; see divergence_shorten.cpp.
Spirv shortened(const Spirv& module);
Spirv build(const Batch& batch);

struct Outcome {
  size_t spoiled = 0;             ///< Number made invalid by the optimiser or the shortening. They do not run.
  size_t programs = 0;            ///< Number of programs that do not take too long.
  std::vector<Failure> failures;  ///< At most one for each program.
};
Outcome run(const Batch& batch);

}  // namespace weft::test::divergence

#pragma once

#include <weft/weft.h>

#include <functional>
#include <string>
#include <vector>

#include "divergence_program.h"

/// Runs programs on devices and compares with what the interpreter says.
namespace weft::test::divergence {

/// In what form programs are given to a device: as glslang leaves them, or after passes of the optimiser.
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

/// A selector for open_device(), and the subgroup size that it gives; or a name, and what opens the device.
struct Where {
  std::string selector;
  uint32_t subgroup_size = 0;
  std::function<Device()> opener = {};

  Device open() const { return opener ? opener() : open_device(selector); }
};

/// What a device made of one program that it should not have.
struct Failure {
  size_t program = 0;
  std::string what;  ///< Where, and what differs first; or why the program is refused.
};

/// Programs that are compiled together, with what they are given, in what form, and where they run: all that follows
/// from a run's seed and the batch's number in it.
struct Batch {
  static constexpr size_t size = 50;

  static Batch number(uint64_t run_seed, size_t number, const std::vector<Where>& devices);
  /// These programs in place of the batch's own.
  Batch with(std::vector<Program> others) const;

  std::vector<Program> programs;
  Given given;
  Variant variant;
  std::vector<Where> devices;
};

/// The host device at every subgroup size, with schedules of which every third batch has the same.
std::vector<Where> host_devices(uint64_t run_seed, size_t batch, const DeviceOptions& options);

/// Branches that leave at once; see divergence_shorten.cpp.
Spirv shortened(const Spirv& module);
Spirv build(const Batch& batch);

struct Outcome {
  size_t spoiled = 0;             ///< How many the optimiser or the shortening makes invalid. They do not run.
  size_t programs = 0;            ///< How many there are that do not take too long.
  std::vector<Failure> failures;  ///< One at most for each program.
};
Outcome run(const Batch& batch);

}  // namespace weft::test::divergence

#include "tests/stand_ins/emulated_gpu/emulated_code.h"

#include <dlfcn.h>

#include <vector>

#include <weft/error.h>

#include "backends/host/temporary_folder.h"
#include "tests/stand_ins/emulated_gpu/workgroup.h"

namespace weft::test {

EmulatedCode::EmulatedCode(std::span<const std::byte> shared_object) {
  // The loader identifies libraries by path, so each is opened from its own folder.
  host::TemporaryFolder folder;
  const auto path = folder.path() / "kernel.so";
  folder.write(path, shared_object);
  library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library_) throw Error(ErrorCode::unsupported, std::string("An emulated kernel cannot be loaded: ") + dlerror());
  using GetEntry = emulated::Entry();
  const auto get = reinterpret_cast<GetEntry*>(dlsym(library_, "weft_emulated_entry"));
  if (!get) {
    dlclose(library_);
    throw Error(ErrorCode::unsupported, "The shared library is not an emulated kernel.");
  }
  entry_ = get();
}

EmulatedCode::~EmulatedCode() { dlclose(library_); }

bool EmulatedCode::has(const char* function) const { return dlsym(library_, function) != nullptr; }

std::string EmulatedCode::run_groups(const EmulatedLaunch& launch, const void* const* parameters) const {
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> dynamic_memory(launch.dynamic_memory_bytes / sizeof(Line) + 1);
  EmulatedWorkgroup workgroup(entry_, parameters);
  for (uint32_t z = 0; z < launch.groups.z; ++z) {
    for (uint32_t y = 0; y < launch.groups.y; ++y) {
      for (uint32_t x = 0; x < launch.groups.x; ++x) {
        if (std::string problem = workgroup.run({x, y, z}, launch.groups, dynamic_memory.data()); !problem.empty()) {
          return problem;
        }
      }
    }
  }
  return {};
}

std::string EmulatedCode::run(const EmulatedLaunch& launch, const void* const* parameters) const {
  if (launch.dynamic_memory_bytes < entry_.dynamic_memory_bytes)
    return "the kernel uses more workgroup memory than it is given";
  std::lock_guard lock(mutex_);
  entry_.lane_state->awaits = 0;
  std::string problem = run_groups(launch, parameters);
  const auto& [x, y, z] = launch.groups;
  const uint64_t lanes = uint64_t{x} * y * z * entry_.block.x * entry_.block.y * entry_.block.z;
  if (problem.empty() && launch.dependent && entry_.lane_state->awaits != lanes) {
    problem = "lanes of a dependent launch did not wait for the launches before it";
  }
  return problem;
}

}  // namespace weft::test

#include "emulated_code.h"

#include <dlfcn.h>

#include <weft/error.h>
#include <vector>

#include "backends/host/temporary_folder.h"
#include "workgroup.h"

namespace weft::test {

EmulatedCode::EmulatedCode(std::span<const std::byte> shared_object) {
  // The loader identifies libraries by path, so each is opened from its own folder.
  const host::TemporaryFolder folder;
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

std::string EmulatedCode::run(emulated::Dim3 groups, uint32_t dynamic_memory_bytes,
                              const void* const* parameters) const {
  if (dynamic_memory_bytes < entry_.dynamic_memory_bytes)
    return "the kernel uses more workgroup memory than it is given";
  std::lock_guard lock(mutex_);
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> dynamic_memory(dynamic_memory_bytes / sizeof(Line) + 1);
  EmulatedWorkgroup workgroup(entry_, parameters);
  for (uint32_t z = 0; z < groups.z; ++z) {
    for (uint32_t y = 0; y < groups.y; ++y) {
      for (uint32_t x = 0; x < groups.x; ++x) {
        if (std::string problem = workgroup.run({x, y, z}, groups, dynamic_memory.data()); !problem.empty()) {
          return problem;
        }
      }
    }
  }
  return {};
}

}  // namespace weft::test

#include <array>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include <weft/device.h>
#include <weft/pack.h>
#include <weft/sort.h>

#include "bench/programs/cold_sort/sorted_keys.h"
#include "bench/programs/timed_process.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/inlined_module.h"

// Measures the time from the start of a process to 1,000 sorted keys: with Weft, whose kernels are in a pack, and by
// hand, with Vulkan and the same SPIR-V. Both find their pipelines in a cache. The two take turns, each time in a new
// process. Prints medians. Other work on the machine changes the processors' time least.
//
//   weft pack LIST --device DEVICE -o PACK      where LIST has the line: Sort key=uint max_count=1000
//   cold_sort PACK [DEVICE [RUNS [PROGRAM]]]    PROGRAM: another cold_sort_weft, linked without compilers
namespace {

using namespace weft;
using bench::key_count;

constexpr std::array parts{"start of the process, to main()",
                           "the device is open",
                           "the pipeline, from cache",
                           "memory, upload, dispatch, download",
                           "total",
                           "processors' time, until the end"};

struct Captured {
  Spirv module;
  KernelOptions options;
};

/// Makes no kernels: it keeps the last one as the Vulkan backend would get it.
class CapturingDevice : public backend::Device {
 public:
  using backend::Device::Device;

  std::shared_ptr<backend::Kernel> create_kernel(const Spirv& module, const KernelOptions& options,
                                                 Reflection reflection) override {
    captured = {{core::takes_inlined(info()) ? core::inlined_module(*this, module) : module.words, module.name},
                options};
    return std::make_shared<backend::Kernel>(shared_from_this(), module.name, std::move(reflection));
  }
  std::shared_ptr<backend::Buffer> create_buffer(uint64_t) override { return nullptr; }
  std::unique_ptr<backend::Stream> create_stream() override { return nullptr; }
  void synchronize(std::chrono::nanoseconds) override {}

  Captured captured;
};

/// The kernel of the pack that sorts on this device.
Captured kernel_of(const DeviceInfo& info, const std::string& pack) {
  DeviceOptions options;
  options.packs = {Pack::open(pack)};
  const auto device = std::make_shared<CapturingDevice>(info, options);
  const Sort plan(Device(device), Element::of<uint32_t>(), key_count);
  const std::vector<SpecializationValue>& values = device->captured.options.specialization;
  if (plan.temporary_bytes() != 0 || values.size() != 1 || values[0].id != 0) {
    throw Error(ErrorCode::unsupported, info.name + " does not sort so few keys with one kernel and one constant.");
  }
  return device->captured;
}

/// A folder for both programs' files, empty at first.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("cold_sort." + std::to_string(getpid()))) {
    std::filesystem::create_directory(path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  std::string operator/(const char* name) const { return path / name; }

  const std::filesystem::path path;
};

std::vector<std::string> command_by_hand(const DeviceInfo& info, const Captured& kernel, const Folder& folder,
                                         const std::string& program) {
  const std::vector<uint32_t>& words = kernel.module.words;
  std::ofstream(folder / "sort.spv", std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), std::streamsize(words.size() * sizeof(uint32_t)));
  const KernelOptions& options = kernel.options;
  const bool full = options.full_subgroups && info.features.subgroup_size_control;
  return {program,
          info.name,
          folder / "sort.spv",
          folder / "pipelines",
          std::to_string(options.specialization[0].bits),
          std::to_string(info.features.subgroup_size_control ? options.subgroup_size : 0),
          full ? "1" : "0"};
}

int measure(const std::string& pack, const std::string& selector, int runs, const std::string& given_program) {
  const DeviceInfo info = open_device(selector).info();
  const Folder folder;
  const auto here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string program = given_program.empty() ? (here / "cold_sort_weft").string() : given_program;
  const std::array commands{std::vector<std::string>{program, selector, pack, folder / "cache"},
                            command_by_hand(info, kernel_of(info, pack), folder, here / "cold_sort_by_hand")};
  std::array<std::vector<std::vector<double>>, 2> times;
  for (int run = 0; run <= runs; ++run) {  // The first fills the caches.
    for (size_t which = 0; which < commands.size(); ++which) {
      const std::vector<double> one = bench::times_of(commands[which]);
      if (one.size() != parts.size()) return std::fprintf(stderr, "%s fails\n", commands[which][0].c_str()), 1;
      if (run > 0) times[which].push_back(one);
    }
  }
  std::printf("medians of %d processes each on %s\n%-36s %12s %12s\n", runs, info.name.c_str(), "", "Weft", "by hand");
  for (size_t part = 0; part < parts.size(); ++part) {
    const double weft = bench::median_of(times[0], part), by_hand = bench::median_of(times[1], part);
    std::printf("%-36s %9.3f ms %9.3f ms  %.2f\n", parts[part], weft, by_hand, weft / by_hand);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto at = [&](size_t i, const char* otherwise) { return i < arguments.size() ? arguments[i] : otherwise; };
  const int runs = std::atoi(at(2, "20").c_str());
  if (arguments.empty() || arguments.size() > 4 || runs < 1) {
    return std::fprintf(stderr, "usage: cold_sort PACK [DEVICE [RUNS [PROGRAM]]]\n"), 2;
  }
  return measure(arguments[0], at(1, "vulkan"), runs, at(3, ""));
} catch (const weft::Error& error) {
  std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str());
  return 1;
}

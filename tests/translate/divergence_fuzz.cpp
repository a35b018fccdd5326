#include <sys/stat.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>

#include <weft/translate.h>

#include "tests/support/files.h"
#include "tests/translate/divergence_run.h"

// Runs random programs of divergent control flow and reports which give wrong results. See divergence_program.h.
using namespace weft;
using namespace weft::test::divergence;

namespace {

const char* const usage = R"(divergence_fuzz [--count N] [--seed SEED] [--device SELECTOR] [--program N] [--shrink]
  --count N          programs to run (default 2000); 0: until it is stopped
  --seed SEED        of the run; printed, and random by default
  --device SELECTOR  another device instead of the host device
  --program N        only program N of the run; prints it, as GLSL and as the C++ that it is translated to
  --shrink           reduces the programs that fail and prints them
)";

struct Settings {
  size_t count = 2000;
  uint64_t seed = std::random_device{}();
  std::string device;
  std::optional<size_t> program;
  bool shrink = false;
  std::optional<Device> opened;  ///< Once per run: some drivers fail when opened hundreds of times.
};

Settings read(int argc, char** argv) {
  Settings settings;
  for (int k = 1; k < argc; ++k) {
    const std::string option = argv[k];
    const auto value = [&]() -> std::string {
      if (k + 1 == argc) throw std::invalid_argument(option + " takes a value");
      return argv[++k];
    };
    if (option == "--count")
      settings.count = std::stoull(value());
    else if (option == "--seed")
      settings.seed = std::stoull(value());
    else if (option == "--device")
      settings.device = value();
    else if (option == "--program")
      settings.program = std::stoull(value());
    else if (option == "--shrink")
      settings.shrink = true;
    else
      throw std::invalid_argument("there is no option " + option);
  }
  if (!settings.device.empty()) {
    DeviceOptions options = DeviceOptions::from_environment();
    options.cache = nullptr;  // random programs come once
    settings.opened = open_device(settings.device, options);
  }
  return settings;
}

// Kernels are compiled often and run briefly, so mostly without optimisation: with a compiler script that says so, in a
// folder that keeps compiled kernels until the next batch.
class Compilers {
 public:
  Compilers() {
    const std::string set = DeviceOptions::from_environment().compiler, own = set.empty() ? "c++" : set;
    for (const std::string level : {"0", "2"}) {
      const std::string script = (folder_.path() / ("c++" + level)).string();
      std::ofstream(script) << "#!/bin/sh\nexec " << own << " \"$@\" -O" << level << "\n";
      chmod(script.c_str(), 0700);
    }
  }

  DeviceOptions options(size_t batch) const {
    DeviceOptions options;
    options.compiler = (folder_.path() / (batch % 16 == 14 ? "c++2" : "c++0")).string();
    std::filesystem::remove_all(folder_.path() / "cache");
    options.cache = KernelCache::in_folder(folder_.path() / "cache");
    return options;
  }

 private:
  test::TemporaryFolder folder_;
};

Batch batch_of(const Settings& settings, size_t number, const DeviceOptions& options) {
  std::vector<Where> devices = host_devices(settings.seed, number, options);
  if (!settings.device.empty()) {
    const Device device = *settings.opened;
    devices = {{settings.device, device.info().limits.subgroup_size, [device] { return device; }}};
  }
  return Batch::number(settings.seed, number, devices);
}

Program shrunk(const Batch& batch, const Program& program) {
  return shrink(program, [&](const std::vector<Program>& programs) {
    std::vector<bool> failed(programs.size(), false);
    for (const Failure& failure : run(batch.with(programs)).failures) failed[failure.program] = true;
    std::cerr << "." << std::flush;
    return failed;
  });
}

void print(const Batch& batch, const Program& program) {
  const Batch alone = batch.with({program});
  std::cout << to_glsl(alone.programs, alone.given.lanes, alone.variant.shape) << "\n";
  if (alone.variant.passes != 0 || alone.variant.shortened) std::cout << disassemble_spirv(build(alone)) << "\n";
  const std::string code = translate_spirv(build(alone), TranslationTarget::host).code;
  std::cout << "// Functions of the translation:\n" << code.substr(code.find("\nWEFT_FN")) << "\n";
}

// Runs one program, or all of a batch. Returns the number of failures.
size_t report(const Settings& settings, size_t number, const Batch& batch, const Outcome& outcome) {
  for (const Failure& failure : outcome.failures) {
    const size_t program = number * Batch::size + failure.program;
    std::cout << "program " << program << ": " << failure.what << "\n  again: divergence_fuzz --seed " << settings.seed
              << (settings.device.empty() ? "" : " --device " + settings.device) << " --program " << program
              << " --shrink" << std::endl;
    if (!settings.shrink) continue;
    const Program smaller = shrunk(batch, batch.programs[failure.program]);
    const Outcome again = run(batch.with({smaller}));
    std::cout << "\nreduced: " << (again.failures.empty() ? "" : again.failures[0].what) << "\n";
    print(batch, smaller);
  }
  return outcome.failures.size();
}

int run_all(const Settings& settings) {
  const Compilers compilers;
  std::cout << "divergence_fuzz --seed " << settings.seed << std::endl;
  if (settings.program) {
    const size_t number = *settings.program / Batch::size, at = *settings.program % Batch::size;
    const Batch batch = batch_of(settings, number, compilers.options(number));
    if (!settings.shrink) print(batch, batch.programs[at]);
    Outcome outcome = run(batch.with({batch.programs[at]}));
    for (Failure& failure : outcome.failures) failure.program = at;
    return report(settings, number, batch, outcome) == 0 ? 0 : 1;
  }
  const auto start = std::chrono::steady_clock::now();
  size_t programs = 0, failed = 0, spoiled = 0;
  for (size_t number = 0; settings.count == 0 || programs < settings.count; ++number) {
    const Batch batch = batch_of(settings, number, compilers.options(number));
    const Outcome outcome = run(batch);
    programs += outcome.programs - outcome.spoiled;
    spoiled += outcome.spoiled;
    failed += report(settings, number, batch, outcome);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << programs << " programs ran, " << failed << " failed, " << spoiled << " made invalid before they ran, "
            << double(programs) / seconds << " a second" << std::endl;
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) try { return run_all(read(argc, argv)); } catch (const std::exception& error) {
  std::cerr << error.what() << "\n" << usage;
  return 2;
}

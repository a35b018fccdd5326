// shipped DEVICE [record|foreign]: runs every task on the device, and checks the results against the standard
// library's. With `record`, in a build with compilers, WEFT_RECORD_PLANS lists what a pack must hold. Otherwise, in the
// build without them, also checks that what they are needed for throws, and says what to do. With `foreign`, the pack
// is one for other devices: tasks may be refused, with what to do, and are never wrong.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>

#include <weft/glsl.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "tasks.h"

namespace {

constexpr uint32_t counts[] = {0, 1, 1000, 70001};

bool run_task(const shipped::Task& task, weft::Stream& stream, uint32_t seed) {
  bool right = true;
  for (const uint32_t count : counts) {
    if (task.run(stream, count, seed)) continue;
    std::printf("%s: WRONG for %u elements\n", task.name, count);
    right = false;
  }
  if (right) std::printf("%s: right\n", task.name);
  return right;
}

bool says_what_to_list(const weft::Error& error) {
  const std::string sentence = error.what();
  return error.code() == weft::ErrorCode::unsupported && sentence.find("no pack holds ") != std::string::npos &&
         sentence.find("`weft pack`, from a list with ") != std::string::npos;
}

bool run_tasks(weft::Stream& stream, uint32_t seed, bool is_foreign) {
  bool all_right = true;
  for (const shipped::Task& task : shipped::tasks()) {
    try {
      all_right &= run_task(task, stream, seed);
    } catch (const weft::Error& error) {
      if (!is_foreign || !says_what_to_list(error)) throw;
      std::printf("%s: refused, %s\n", task.name, error.what());
    }
  }
  return all_right;
}

bool is_refused(const char* what, const std::string& advice, const std::function<void()>& work) {
  try {
    work();
    std::printf("%s: WRONG, it does not throw\n", what);
  } catch (const weft::Error& error) {
    const std::string sentence = error.what();
    const bool right = error.code() == weft::ErrorCode::unsupported && sentence.find(advice) != std::string::npos;
    std::printf("%s: %s, %s\n", what, right ? "refused" : "WRONG", sentence.c_str());
    return right;
  }
  return false;
}

bool refuses_to_compile(const weft::Device& device) {
  constexpr const char* source = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
  const bool glsl = is_refused("GLSL", "weft_add_kernels", [] { static_cast<void>(weft::compile_glsl(source)); });
  const bool kernel =
      is_refused("a kernel from GLSL", "weft_add_kernels", [&] { static_cast<void>(device.kernel_from_glsl(source)); });
  const bool plan = is_refused("a plan in no pack", "with this line: Sort key=double max_count=1000",
                               [&] { weft::Sort(device, weft::Element::of<double>(), 1000); });
  return glsl && kernel && plan;
}

}  // namespace

int main(int argc, char** argv) try {
  const weft::Device device = weft::open_device(argc > 1 ? argv[1] : "");
  weft::Stream stream = device.stream();
  const char* given = std::getenv("WEFT_TEST_SEED");
  const uint32_t seed = given ? uint32_t(std::strtoull(given, nullptr, 10)) : std::random_device()();
  std::printf("%s, seed %u\n", device.info().name.c_str(), seed);
  const std::string mode = argc > 2 ? argv[2] : "";
  const bool right = run_tasks(stream, seed, mode == "foreign"), records = mode == "record";
  return right && (records || refuses_to_compile(device)) ? 0 : 1;
} catch (const weft::Error& error) {
  return std::fprintf(stderr, "%s\n%s", error.what(), error.log().c_str()), 1;
}

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>

#include <weft/weft.h>

#include "backends/host/architectures.h"
#include "backends/host/device.h"
#include "backends/host/temporary_folder.h"

using namespace weft;

namespace {

/// A compiler that notes the kernels it compiles in a file beside it.
class NotingCompiler {
 public:
  explicit NotingCompiler(const std::filesystem::path& file) : file_(file) {
    std::ofstream(file_) << "#!/bin/sh\ncase \"$*\" in *-shared*) echo called >>'" << calls_file()
                         << "';; esac\nexec c++ \"$@\"\n";
    REQUIRE_EQ(chmod(file_.c_str(), 0700), 0);
  }

  DeviceOptions options() const {
    DeviceOptions options;
    options.compiler = file_.string();
    return options;
  }
  weft::Device device() const { return open_device("host", options()); }
  size_t calls() const {
    std::ifstream file(calls_file());
    return size_t(std::distance(std::istream_iterator<std::string>(file), {}));
  }

 private:
  std::string calls_file() const { return file_.string() + ".calls"; }
  std::filesystem::path file_;
};

const std::string source = "#version 460\nlayout(local_size_x = 1) in;\nvoid main() {}\n";

}  // namespace

TEST_CASE("host devices of one process compile with compilers of their own, and without a cache every time") {
  const host::TemporaryFolder folder;
  const NotingCompiler first(folder.path() / "first"), second(folder.path() / "second compiler");
  const weft::Device a = first.device(), b = second.device();
  a.kernel_from_glsl(source);
  CHECK_EQ(first.calls(), 1);
  CHECK_EQ(second.calls(), 0);
  b.kernel_from_glsl(source);
  b.kernel_from_glsl(source);
  CHECK_EQ(first.calls(), 1);
  CHECK_EQ(second.calls(), 2);
}

TEST_CASE("a cache has no code for a processor with other vector instructions, but for its own") {
  const host::TemporaryFolder folder;
  const NotingCompiler compiler(folder.path() / "compiler");
  DeviceOptions options = compiler.options();
  options.cache = KernelCache::in_folder(folder.path() / "cache");
  const auto start_on = [&](const std::string& architecture) {
    host::Settings settings;
    settings.architecture = architecture;
    weft::Device(std::make_shared<host::Device>(settings, options)).kernel_from_glsl(source);
    return compiler.calls();
  };
  const std::string own = host::vector_architecture();
  const std::string other = own == "x86-64-v3" ? "x86-64-v4" : "x86-64-v3";  // it compiles, and need not run
  CHECK_EQ(start_on(""), 1);
  CHECK_EQ(start_on(own), 1);
  CHECK_EQ(start_on(other), 2);
  CHECK_EQ(start_on(other), 2);
  CHECK_EQ(start_on(own), 2);
}

TEST_CASE("a compiler that is missing is an error for the device that names it, and for no other") {
  DeviceOptions options;
  options.compiler = "no-such-compiler";
  const weft::Device without = open_device("host", options);
  try {
    without.kernel_from_glsl(source);
    FAIL("it compiled");
  } catch (const Error& error) {
    CHECK_EQ(error.code(), ErrorCode::unsupported);
    CHECK(std::string(error.what()).find("no-such-compiler") != std::string::npos);
  }
  options.compiler = "";
  open_device("host", options).kernel_from_glsl(source);
}

TEST_CASE("without its compiler a device makes no kernel, not even one that its cache has") {
  const host::TemporaryFolder folder;
  const NotingCompiler compiler(folder.path() / "compiler");
  DeviceOptions options = compiler.options();
  options.cache = KernelCache::in_folder(folder.path() / "cache");
  open_device("host", options).kernel_from_glsl(source);
  std::filesystem::remove(options.compiler);
  const weft::Device without = open_device("host", options);
  try {
    without.kernel_from_glsl(source);
    FAIL("it was made");
  } catch (const Error& error) {
    CHECK_EQ(error.code(), ErrorCode::unsupported);
    CHECK(std::string(error.what()).find(options.compiler) != std::string::npos);
  }
}

TEST_CASE("a machine's best device is the host device only where it has a compiler, or nothing else") {
  DeviceOptions options;
  options.compiler = "no-such-compiler";
  bool has_others = false, has_gpu = false;
  for (const BackendInfo& backend : list_devices(options.libraries)) {
    for (const DeviceInfo& device : backend.devices) {
      has_others |= device.backend != "host" && device.refusal.empty();
      has_gpu |= device.kind != DeviceKind::cpu && device.refusal.empty();
    }
  }
  const DeviceChoice choice = choose_device("", options);
  CHECK_EQ(choice.device.backend == "host", !has_others);
  std::string text = choice.reason;
  for (const std::string& other : choice.others) text += "\n" + other;
  INFO(text);
  CHECK_EQ(text.find("no-such-compiler") != std::string::npos, !has_gpu);
  options.compiler = "";
  CHECK_EQ(choose_device("", options).device.backend == "host", !has_gpu);
}

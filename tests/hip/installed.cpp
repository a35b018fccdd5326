#include <algorithm>
#include <iostream>

#include "tests/support/files.h"
#include "tests/support/test.h"

// The messages of list_devices() and open_device() about HIP if something is missing. WEFT_HIP_DRIVER is AMD's real
// runtime, which finds no GPU.
using namespace weft;
using namespace weft::test;

namespace {

BackendInfo listed() {
  for (BackendInfo& backend : list_devices()) {
    if (backend.name == "hip") return backend;
  }
  FAIL("the backend hip is not built in");
  return {};
}

// Runs in a separate process, since the environment is read when a library is opened.
void check_none(const std::vector<std::string>& environment, const std::vector<std::string>& words) {
  const Outcome outcome = run_again({"--no-skip", "-tc=the child of these tests"}, environment);
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
  CHECK(outcome.output.find("hip has none: ") != std::string::npos);
  CHECK(outcome.output.find("unsupported: ") != std::string::npos);
  for (const std::string& word : words) CHECK(outcome.output.find(word) != std::string::npos);
}

}  // namespace

TEST_CASE("AMD's runtime without a GPU has no device, and says so") {
  const BackendInfo hip = listed();
  CHECK(hip.devices.empty());
  CHECK(hip.reason.find("libamdhip64") != std::string::npos);
  CHECK(hip.reason.find("found no device") != std::string::npos);
  for (const char* selector : {"hip", "hip:0"}) {
    check_error(ErrorCode::unsupported, {"hip", "found no device"}, [&] { open_device(selector); });
  }
}

TEST_CASE("a machine without AMD's runtime has no device, and a reason") {
  check_none({"WEFT_HIP_DRIVER=/nowhere/libamdhip64.so.6"}, {"WEFT_HIP_DRIVER", "/nowhere/libamdhip64.so.6"});
}

TEST_CASE("a file that is not a library, or another library, is refused as a runtime") {
  const TemporaryFolder folder;
  folder.write("libamdhip64.so.7", "this is no library");
  check_none({"WEFT_HIP_DRIVER=" + (folder.path() / "libamdhip64.so.7").string()}, {"libamdhip64.so.7", "cannot"});
  check_none({"WEFT_HIP_DRIVER=libm.so.6"}, {"libm.so.6", "has no function hip"});
  // In the search path: the newest name exists, but is broken.
  check_none({"WEFT_HIP_DRIVER", "LD_LIBRARY_PATH=" + folder.path().string()}, {"found no device"});
}

TEST_CASE("the child of these tests" * doctest::skip()) {
  const BackendInfo hip = listed();
  if (hip.devices.empty()) std::cout << "hip has none: " << hip.reason << "\n";
  try {
    open_device("hip");
    std::cout << "a device opened\n";
  } catch (const Error& error) {
    std::cout << to_string(error.code()) << ": " << error.what() << "\n";
  }
  std::cout << std::flush;
}

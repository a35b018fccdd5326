#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>

#include "tests/support/devices.h"
#include "tests/support/random.h"
#include "tests/support/sample.h"
#include "tests/support/vulkan_host/hazards.h"
#ifdef WEFT_TEST_VULKAN
#include <weft/interop/vulkan.h>
#endif

/// Runs doctest with each device test registered once per device. Ends with a summary that counts unsupported tests and
/// expected failures separately from passed tests.
namespace weft::test {

namespace {

struct Unsupported {
  std::string reason;
};

/// One device test on one device. TestCase::m_template_id is its index in the list of runs.
struct Run {
  const DeviceTest* test;
  const TestedDevice* tested;
};

struct State {
  std::vector<TestedDevice> devices;
  std::vector<Run> runs;
  uint64_t validation_messages = 0;
  int current = -1;
  bool run_began = false;  ///< False for queries such as --list-test-cases.
  size_t started = 0;
  std::string unsupported_reason;
};

State& state() {
  static State instance;
  return instance;
}

/// Counts the validation layer's messages about the tested devices so far; none without WEFT_VALIDATION=1.
uint64_t validation_messages() {
  uint64_t messages = 0;
#ifdef WEFT_TEST_VULKAN
  for (const TestedDevice& tested : state().devices) {
    if (tested.device.info().backend == "vulkan") messages += vulkan::validation_messages(tested.device);
  }
#endif
  return messages;
}

void run_current_test() {
  const Run& run = state().runs.at(size_t(state().current));
  try {
    run.test->body(run.tested->device);
  } catch (const Unsupported& unsupported) {
    state().unsupported_reason = unsupported.reason;
  }
  const uint64_t messages = validation_messages();
  CHECK_MESSAGE(messages == state().validation_messages, "the validation layer reported errors; see stderr");
  state().validation_messages = messages;
  const std::string hazards = take_hazards();
  CHECK_MESSAGE(hazards.empty(), "on the traced device:" << hazards);
}

void register_tests() {
  // doctest keeps pointers to the names; the list of runs lives as long as the process.
  const Sample sample = Sample::from_environment();
  for (const TestedDevice& tested : state().devices) {
    for (const DeviceTest* taken : sample.of(device_tests(), tested)) {
      const DeviceTest& test = *taken;
      const DeviceInfo& info = tested.device.info();
      doctest::detail::TestCase test_case(run_current_test, test.file, unsigned(test.line),
                                          doctest::detail::TestSuite() * "", tested.selector.c_str(),
                                          int(state().runs.size()));
      const ExpectedFailure& expected = test.expected_failure;
      if (expected.applies != nullptr && expected.applies(info)) test_case* doctest::should_fail(true);
      doctest::detail::regTest(test_case * test.name.c_str());
      state().runs.push_back({&test, &tested});
    }
  }
}

class Reporter : public doctest::ConsoleReporter {
 public:
  explicit Reporter(const doctest::ContextOptions& options) : ConsoleReporter(options) {}

  void test_run_start() override {
    ConsoleReporter::test_run_start();
    state().run_began = true;
    s << "[weft] WEFT_TEST_SEED=" << run_seed() << "\n";
    for (const TestedDevice& tested : state().devices) {
      const DeviceInfo& info = tested.device.info();
      s << "[weft] " << tested.selector << ": " << info.name << ", " << info.driver << ", subgroups of "
        << info.limits.subgroup_size << "\n";
    }
    if (!Sample::from_environment().takes_all()) {
      s << "[weft] this run has drawn " << state().runs.size() << " of "
        << device_tests().size() * state().devices.size() << " tests (WEFT_TEST_SAMPLE, WEFT_TEST_TYPES)\n";
    }
  }

  void test_case_start(const doctest::TestCaseData& data) override {
    ConsoleReporter::test_case_start(data);
    state().current = static_cast<const doctest::detail::TestCase&>(data).m_template_id;
    state().unsupported_reason.clear();
    ++state().started;
  }

  void test_case_end(const doctest::CurrentTestCaseStats& stats) override {
    ConsoleReporter::test_case_end(stats);
    if (!stats.testCaseSuccess) {
      std::string filter = tc->m_name;  // a comma would end the pattern
      std::replace(filter.begin(), filter.end(), ',', '*');
      s << "[weft] to repeat this test with the same random numbers: WEFT_TEST_SEED=" << run_seed() << " and -tc=\""
        << filter << "\"\n\n";
      ++failed_;
    } else if (tc->m_should_fail) {
      const std::string& reason = state().runs.at(size_t(state().current)).test->expected_failure.reason;
      expected_failures_.push_back(std::string(tc->m_name) + ": " + reason);
    } else if (!state().unsupported_reason.empty()) {
      unsupported_.push_back(std::string(tc->m_name) + ": " + state().unsupported_reason);
    } else {
      ++passed_;
    }
  }

  void test_run_end(const doctest::TestRunStats& stats) override {
    separator_to_stream();
    for (const std::string& line : unsupported_) s << "[weft] unsupported: " << line << "\n";
    for (const std::string& line : expected_failures_) s << "[weft] expected failure: " << line << "\n";
    s << "[weft] " << passed_ << " passed, " << failed_ << " failed, " << unsupported_.size() << " unsupported, "
      << expected_failures_.size() << " expected failures; " << stats.numAsserts << " checks" << std::endl;
  }

 private:
  size_t passed_ = 0, failed_ = 0;
  std::vector<std::string> unsupported_, expected_failures_;
};

}  // namespace

void unsupported(const std::string& reason) { throw Unsupported{reason}; }

const std::vector<TestedDevice>& tested_devices() { return state().devices; }

std::string selector_of(const Device& device) {
  for (const TestedDevice& tested : state().devices) {
    if (&tested.device != &device) continue;
    const bool opens = tested.selector != "wrapped" && !tested.selector.starts_with("traced");
    if (!opens) unsupported("is wrapped, which open_device() does not do");
    return tested.selector;
  }
  return device.info().selector;
}

}  // namespace weft::test

using weft::test::Reporter;
REGISTER_LISTENER("weft", 0, Reporter);

REGISTER_EXCEPTION_TRANSLATOR(const weft::Error& error) {
  return (error.what() + (error.log().empty() ? "" : "\n" + error.log().substr(0, 2000))).c_str();
}

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("reporters", "none");  // the listener above reports
  context.applyCommandLine(argc, argv);
  auto& devices = weft::test::state().devices;
  try {
    if (!weft::test::device_tests().empty()) devices = weft::test::open_tested_devices();
    weft::test::register_tests();
  } catch (const weft::Error& error) {
    std::cerr << "[weft] cannot start the tests: " << error.what() << "\n";
    return 1;
  }
  int status = context.run();
  if (weft::test::state().run_began && weft::test::state().started == 0) {
    std::cerr << "[weft] no test matches the filters; nothing was tested\n";
    status = 1;
  }
  devices.clear();
  return status;
}

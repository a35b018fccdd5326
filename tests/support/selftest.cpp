#include <algorithm>
#include <map>

#include "tests/support/files.h"
#include "tests/support/sample.h"
#include "tests/support/test.h"
#include "tests/support/vulkan_host/hazards.h"

using namespace weft;
using namespace weft::test;

/// Tests the harness by running this program again on the samples below. Run alone with -tc="harness*".

DEVICE_TEST("sample that passes") { CHECK(device.info().refusal.empty()); }
DEVICE_TEST("sample that fails") { CHECK_EQ(random_generator("sample")(), 0); }
DEVICE_TEST("sample that throws") { open_device("vulkan:no such device"); }
DEVICE_TEST("sample that is unsupported") { unsupported("a reason in words"); }
DEVICE_TEST("sample that fails as expected", "to be repaired", [](const DeviceInfo&) { return true; }) { CHECK(false); }
DEVICE_TEST("sample that passes unexpectedly", "repaired already", [](const DeviceInfo&) { return true; }) {
  CHECK(true);
}
DEVICE_TEST("sample that writes before a region") {
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("sample");
  const Guarded<uint32_t> memory(device, stream, 10, generator);
  const Region region = memory.view().region();
  const Region before{region.buffer, region.offset - 4, 4};
  const std::vector<uint32_t> word{uint32_t(generator())};
  stream.upload_region(before, std::as_bytes(std::span(word)));
  memory.read(stream);
}
DEVICE_TEST("sample that races") {
  Stream stream = device.stream();
  // Single bytes are filled by a command. The layer does not track writes of kernels through pointers.
  const Buffer<uint8_t> source = device.buffer<uint8_t>(4), target = device.buffer<uint8_t>(4);
  stream.fill(source, uint8_t{1});
  const auto scope = stream.independent();  // wrongly declares the two commands independent
  stream.copy<uint8_t>(source.part(0, 1), target.part(1, 1));
  stream.copy<uint8_t>(source.part(1, 1), target.part(1, 1));
}
DEVICE_TEST("sample that leaves a hazard") {
  const CommandAccess write{1, 2, true, {{0, 4}}};
  queue_steps() = {{QueueStep::command, "first", {write}, 1}, {QueueStep::command, "second", {write}, 2}};
}
DEVICE_TEST_OF_TYPES("sample of types", uint32_t, double) { CHECK_GE(sizeof(T), 4); }

namespace {

void check_run(const std::string& sample, int status, const std::vector<std::string>& output,
               std::vector<std::string> environment = {}) {
  const Outcome outcome = run_again({"-tc=" + sample}, environment);
  INFO(outcome.output);
  CHECK_EQ(outcome.status, status);
  for (const std::string& text : output) {
    INFO("expected: ", text);
    CHECK(outcome.output.find(text) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("harness: a test that passes") {
  check_run("sample that passes<*", 0, {"1 passed, 0 failed, 0 unsupported, 0 expected failures"});
}
TEST_CASE("harness: a test that fails, with the seed to run it again") {
  check_run("sample that fails<*", 1, {"0 passed, 1 failed", "WEFT_TEST_SEED=1234567"}, {"WEFT_TEST_SEED=1234567"});
  check_run("sample that throws*", 1, {"0 passed, 1 failed"});
}
TEST_CASE("harness: an unsupported test has not passed, and gives its reason") {
  check_run("sample that is unsupported*", 0, {"0 passed, 0 failed, 1 unsupported", "a reason in words"});
}
TEST_CASE("harness: an expected failure that fails") {
  check_run("sample that fails as expected*", 0, {"0 passed, 0 failed, 0 unsupported, 1 expected", "to be repaired"});
}
TEST_CASE("harness: an expected failure that passes fails the run") {
  check_run("sample that passes unexpectedly*", 1, {"0 passed, 1 failed"});
}
TEST_CASE("harness: a stray write is found") {
  check_run("sample that writes*", 1, {"before the start of a region", "0 passed, 1 failed"});
}
TEST_CASE("validation: a race between commands fails the test") {
  check_run("sample that races*", 1, {"SYNC-HAZARD", "the validation layer reported errors", "0 passed, 1 failed"});
}
namespace {

/// Returns tests over three types each, the last of which no device has: `groups` such tests in each of `files` files.
std::vector<DeviceTest> tests_over_types(int files, int groups) {
  static const std::vector<std::string> names{"a.cpp", "b.cpp", "c.cpp"};
  std::vector<DeviceTest> tests;
  const auto has = [](const DeviceInfo&) { return std::string(); };
  const auto lacks = [](const DeviceInfo&) { return std::string("no such type"); };
  for (int file = 0; file < files; ++file) {
    for (int line = 1; line <= groups; ++line) {
      const std::string name = "test " + std::to_string(line) + " of ";
      const char* path = names.at(size_t(file)).c_str();
      tests.push_back({name + "uint", nullptr, path, line, {}, has, "uint"});
      tests.push_back({name + "double", nullptr, path, line, {}, has, "double"});
      tests.push_back({name + "nothing", nullptr, path, line, {}, lacks, "nothing"});
    }
  }
  return tests;
}

}  // namespace

TEST_CASE("harness: a test that leaves a hazard on a traced device") {
  check_run("sample that leaves*", 1, {"no barrier orders the two", "0 passed, 1 failed"});
}
TEST_CASE("harness: a sample takes some tests of each file, and first the types that the device has") {
  const std::vector<DeviceTest> tests = tests_over_types(3, 101);
  const TestedDevice& device = tested_devices().at(0);
  CHECK_EQ(Sample{}.of(tests, device).size(), tests.size());
  const Sample sample{.tests = 4, .types = 1};
  const auto drawn = sample.of(tests, device);
  CHECK(drawn == sample.of(tests, device));  // depends only on the run's seed
  std::map<std::string, std::map<std::string, int>> of_file;
  for (const DeviceTest* test : drawn) ++of_file[test->file][test->type];
  const std::map<std::string, int> in_turns = {{"double", 13}, {"uint", 13}};
  CHECK(of_file == std::map<std::string, std::map<std::string, int>>{
                       {"a.cpp", in_turns}, {"b.cpp", in_turns}, {"c.cpp", in_turns}});
  const auto larger = Sample{.tests = 1, .types = 2}.of(tests, device);
  CHECK_EQ(larger.size(), 3 * 101 * 2);
  CHECK(std::ranges::includes(larger, drawn));
}
TEST_CASE("harness: the environment sets the sample") {
  check_run("sample of types*", 0, {"1 passed, 0 failed", "this run has drawn"}, {"WEFT_TEST_TYPES=1"});
  check_run("sample of types*", 1, {"WEFT_TEST_SAMPLE=0 is not a number of at least 1"}, {"WEFT_TEST_SAMPLE=0"});
}
DEVICE_TEST("harness: new memory holds random bytes at its start and its end, whoever allocates it") {
  constexpr uint64_t end = 4096;
  Stream stream = device.stream();
  const auto zeros = [&](const Region& region) {
    std::vector<std::byte> bytes(region.bytes);
    stream.download_region(region, bytes);
    return std::ranges::count(bytes, std::byte(0));
  };
  for (const uint64_t bytes : {end, uint64_t(3) << 20}) {
    const Buffer<std::byte> one = device.buffer<std::byte>(bytes), other = device.buffer<std::byte>(bytes);
    CHECK_LT(zeros(one.part(0, end)), end / 32);
    CHECK_LT(zeros(one.part(bytes - end, end)), end / 32);
    CHECK((stream.download(one) != stream.download(other)));
  }
  CHECK_LT(zeros(stream.scratch(end)), end / 32);
}
TEST_CASE("harness: one test for each type") { check_run("sample of types*", 0, {"2 passed, 0 failed"}); }
TEST_CASE("harness: a missing named device fails the run, with the list of devices") {
  check_run("sample that passes<*", 1, {"no such device", tested_devices().at(0).device.info().name},
            {"WEFT_TEST_DEVICES=vulkan:no such device"});
}
TEST_CASE("harness: a backend without devices fails the run") {
  check_run("sample that passes<*", 1, {"vulkan has no device"},
            {"WEFT_TEST_DEVICES=vulkan", "VK_DRIVER_FILES=/nowhere.json", "VK_ICD_FILENAMES=/nowhere.json"});
}
TEST_CASE("harness: a device with another subgroup size than required fails the run") {
  check_run("sample that passes<*", 1, {"subgroups of 3"}, {"WEFT_TEST_SUBGROUP_SIZE=3"});
}
TEST_CASE("harness: a run that tests nothing fails") { check_run("no test of that name", 1, {"nothing was tested"}); }

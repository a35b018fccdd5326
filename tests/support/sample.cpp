#include "tests/support/sample.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string>

#include "tests/support/random.h"

namespace weft::test {

namespace {

/// The tests of one DEVICE_TEST or DEVICE_TEST_OF_TYPES; the former has one test.
using Group = std::vector<const DeviceTest*>;

uint32_t number_from(const char* variable, uint32_t otherwise) {
  const char* text = std::getenv(variable);
  if (text == nullptr || *text == '\0') return otherwise;
  uint32_t number = 0;
  const auto [stop, error] = std::from_chars(text, text + std::strlen(text), number);
  if (error != std::errc{} || *stop != '\0' || number == 0) {
    throw Error(ErrorCode::invalid_argument, std::string(variable) + "=" + text + " is not a number of at least 1");
  }
  return number;
}

std::mt19937_64 generator_for(const std::string& drawn, const TestedDevice& device) {
  return random_generator(drawn + " on " + device.selector + " with subgroups of " +
                          std::to_string(device.device.info().limits.subgroup_size));
}

std::map<std::string, std::vector<Group>> groups_by_file(const std::vector<DeviceTest>& all) {
  std::map<std::string, std::vector<Group>> files;
  for (const DeviceTest& test : all) {
    // Omits the folder, so that a seed draws the same tests in every checkout.
    std::vector<Group>& groups = files[std::filesystem::path(test.file).filename().string()];
    if (groups.empty() || groups.back().front()->line != test.line) groups.emplace_back();
    groups.back().push_back(&test);
  }
  return files;
}

/// Leaves each of a source file's groups with `types` types, in rounds: in each, every group takes one of those that
/// the file's groups have taken least. So one type for each is the first of two for each.
void draw_types(std::vector<Group>& groups, uint32_t types, const TestedDevice& device) {
  for (Group& group : groups) {
    std::mt19937_64 generator = generator_for("types of " + group.front()->name, device);
    std::shuffle(group.begin(), group.end(), generator);
  }
  std::map<std::string, uint32_t> taken;
  const auto order = [&](const DeviceTest* test) {
    const bool lacks = test->lacks_type != nullptr && !test->lacks_type(device.device.info()).empty();
    return std::pair(lacks, taken[test->type]);
  };
  for (uint32_t round = 0; round < types; ++round) {
    for (Group& group : groups) {
      if (round >= group.size()) continue;
      const auto next = group.begin() + round;
      std::iter_swap(next, std::ranges::min_element(next, group.end(), {}, order));
      ++taken[(*next)->type];
    }
  }
  for (Group& group : groups) group.resize(std::min<size_t>(group.size(), types));
}

}  // namespace

Sample Sample::from_environment() {
  return {.tests = number_from("WEFT_TEST_SAMPLE", 1), .types = number_from("WEFT_TEST_TYPES", 0)};
}

std::vector<const DeviceTest*> Sample::of(const std::vector<DeviceTest>& all, const TestedDevice& device) const {
  std::vector<const DeviceTest*> taken;
  for (auto& [file, groups] : groups_by_file(all)) {
    // A small sample is the start of a larger one, so that drivers with one cache share compiled kernels.
    std::mt19937_64 generator = generator_for("tests of " + file, device);
    std::shuffle(groups.begin(), groups.end(), generator);
    groups.resize((groups.size() + tests - 1) / tests);
    if (types > 0) draw_types(groups, types, device);
    for (const Group& group : groups) taken.insert(taken.end(), group.begin(), group.end());
  }
  std::sort(taken.begin(), taken.end());  // tests of one vector
  return taken;
}

}  // namespace weft::test

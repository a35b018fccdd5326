#include <algorithm>
#include <cstring>
#include <map>

#include "algorithms/src/plans/all_plans.h"
#include "tests/c/objects.h"
#include "tests/c/written_plans.h"
#include "tests/support/random.h"

using namespace weft;
using namespace weft::test;

/// Plans made through C give the same bits as those made through C++.

namespace {

/// Words of an argument before the plan runs; or a number.
struct Given {
  std::vector<uint32_t> words{};
  double number = 0;
};
using AllGiven = std::map<std::string, Given>;

struct PlanCase {
  std::string line;
  AllGiven given;
  uint64_t count = 0;
};

/// Takes a plan's arguments by name, as C++ has them.
struct ByName {
  const std::map<std::string, Region>& regions;
  const PlanCase& one;

  Region region(const std::string& name) {
    const auto found = regions.find(name);
    return found == regions.end() ? Region{} : found->second;
  }
  Count count(const std::string& name) { return name.starts_with("second") ? one.count / 2 : one.count; }
  CountOutput count_output(const std::string& name) { return region(name); }
  template <typename T>
  T number(const std::string& name, T) {
    return T(one.given.at(name).number);
  }
};

/// Writes them to the struct that C has.
struct StructWriter {
  const std::map<std::string, weft_region>& regions;
  ByName& by_name;
  std::vector<std::byte> bytes = std::vector<std::byte>(sizeof(size_t));

  Region region(const std::string& name) { return add(found(name)), Region{}; }
  Count count(const std::string& name) {
    weft_count given{};
    given.value = by_name.count(name).value();
    return add(given), Count(0);
  }
  CountOutput count_output(const std::string& name) {
    weft_count_output given{};
    given.words = found(name);
    return add(given), CountOutput();
  }
  template <typename T>
  T number(const std::string& name, T otherwise) {
    if constexpr (std::is_floating_point_v<T>) {
      add(double(by_name.number(name, otherwise)));
    } else {
      add(uint64_t{by_name.number(name, otherwise)});
    }
    return otherwise;
  }

 private:
  weft_region found(const std::string& name) const {
    const auto region = regions.find(name);
    return region == regions.end() ? weft_region{} : region->second;
  }
  template <typename T>
  void add(const T& value) {
    const auto* const first = reinterpret_cast<const std::byte*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
  }
};

using Results = std::map<std::string, std::vector<uint32_t>>;

Results through_cpp(const Device& device, const PlanCase& one) {
  Stream stream = device.stream();
  std::map<std::string, Buffer<uint32_t>> buffers;
  std::map<std::string, Region> regions;
  const auto add = [&](const std::string& name, const std::vector<uint32_t>& words) {
    auto& buffer = buffers[name] = device.buffer<uint32_t>(words.size());
    stream.upload(buffer, words);
    regions[name] = buffer;
  };
  for (const auto& [name, given] : one.given) {
    if (!given.words.empty()) add(name, given.words);
  }
  algorithms::read_plan(one.line, [&](const auto& parameters) {
    const auto plan = parameters.make(device);
    if constexpr (requires { plan.temporary_bytes(); }) {
      add("temporary", std::vector<uint32_t>((plan.temporary_bytes() + 3) / 4));
    }
    ByName by_name{regions, one};
    const auto arguments = std::remove_cvref_t<decltype(parameters)>::arguments(by_name);
    if constexpr (requires { plan.record(stream, arguments); }) plan.record(stream, arguments);
  });
  Results results;
  for (const auto& [name, given] : one.given) {
    if (!given.words.empty()) results[name] = stream.download(buffers.at(name));
  }
  return results;
}

using Record = weft_result (*)(weft_recorder* recorder, const weft_plan* plan, const void* arguments);

/// The function that records a plan.
Record record_of(const std::string& plan) {
  static const std::map<std::string, Record> functions{
#define WEFT_RECORD(name, plan)                                                                         \
  {#plan, [](weft_recorder* recorder, const weft_plan* made, const void* arguments) {                   \
     return weft_record_##name(recorder, made, static_cast<const weft_##name##_arguments*>(arguments)); \
   }},
#define WEFT_REFIT(name, plan)
#include "c/src/recorded_plans.h"
#undef WEFT_RECORD
#undef WEFT_REFIT
  };
  return functions.at(plan);
}

Results through_c(const Opened& opened, const PlanCase& one) {
  weft_plan* plan = nullptr;
  REQUIRE_EQ(weft_create_plan(opened.device, one.line.c_str(), &plan), WEFT_OK);
  std::map<std::string, weft_region> regions;
  const auto add = [&](const std::string& name, uint64_t bytes) {
    weft_buffer* buffer = nullptr;
    REQUIRE_EQ(weft_create_buffer(opened.device, bytes, &buffer), WEFT_OK);
    regions[name] = {buffer, 0, WEFT_REST};
  };
  for (const auto& [name, given] : one.given) {
    if (given.words.empty()) continue;
    add(name, 4 * given.words.size());
    REQUIRE_EQ(weft_upload(opened.stream, regions[name], given.words.data(), 4 * given.words.size()), WEFT_OK);
  }
  uint64_t temporary_bytes = 0;
  REQUIRE_EQ(weft_get_temporary_bytes(plan, &temporary_bytes), WEFT_OK);
  if (temporary_bytes > 0) add("temporary", temporary_bytes);
  const std::map<std::string, Region> none;
  ByName by_name{none, one};
  StructWriter writer{regions, by_name};
  const std::string name = one.line.substr(0, one.line.find(' '));
  algorithms::each_plan([&](const auto& parameters) {
    if (name == parameters.plan) static_cast<void>(std::remove_cvref_t<decltype(parameters)>::arguments(writer));
  });
  const size_t size = writer.bytes.size();
  std::memcpy(writer.bytes.data(), &size, sizeof(size));
  const weft_result result = record_of(name)(opened.recorder, plan, writer.bytes.data());
  CHECK_MESSAGE(result == WEFT_OK, std::string(weft_error_message()));
  Results results;
  for (const auto& [argument, given] : one.given) {
    std::vector<uint32_t> words(given.words.size());
    if (words.empty()) continue;
    CHECK_EQ(weft_download(opened.stream, regions[argument], words.data(), 4 * words.size()), WEFT_OK);
    results[argument] = words;
  }
  for (const auto& [argument, region] : regions) CHECK_EQ(weft_destroy_buffer(region.buffer), WEFT_OK);
  CHECK_EQ(weft_destroy_plan(plan), WEFT_OK);
  return results;
}

constexpr uint64_t count = 1000;

/// Random words.
Given words(uint64_t number, uint32_t below, uint32_t from = 0) {
  static std::mt19937_64 generator = random_generator("plans through C");
  Given given;
  for (uint64_t i = 0; i < number; ++i) given.words.push_back(from + uint32_t(generator() % (below - from)));
  return given;
}
Given sorted(uint64_t number) {
  Given given = words(number, 1 << 20);
  std::ranges::sort(given.words);
  return given;
}
Given zeros(uint64_t number) { return {std::vector<uint32_t>(number), 0}; }
Given number(double value) { return {{}, value}; }

}  // namespace

DEVICE_TEST("plans through C give the bits that C++ gives") {
  const Opened opened(device);
  const std::vector<PlanCase> cases{
      {"Sort key=uint value=uint max_count=1000",
       {{"keys", words(count, 100)},
        {"values", words(count, ~0u)},
        {"keys_out", zeros(count)},
        {"values_out", zeros(count)}},
       count},
      {"Scan element=uint op=sum kind=inclusive max_count=1000",
       {{"input", words(count, 0x40000000)}, {"output", zeros(count)}},
       count},
      {"Compact element=uint selection.where=\"x % 3u == 0u\" max_count=1000",
       {{"input", words(count, 100)}, {"output", zeros(count)}, {"selected", zeros(2)}},
       count},
      {"Merge element=uint before=\"a < b\" max_count=1500",
       {{"first", sorted(count)}, {"second", sorted(count / 2)}, {"output", zeros(count + count / 2)}},
       count},
      {"TopK key=float max_count=1000 max_k=10 indices=true",
       {{"input", words(count, 0x40000000)},
        {"output", zeros(10)},
        {"indices", zeros(10)},
        {"found", zeros(2)},
        {"k", number(10)}},
       count},
      {"IndirectGroups max_count=1000", {{"groups", zeros(3)}, {"group_size", number(64)}}, count},
      {"Histogram element=uint bins=16 lower=0 upper=100 max_count=1000",
       {{"input", words(count, 100)}, {"output", zeros(16)}},
       count},
      {"FindNeighbours max_count=100",
       {{"points", words(300, 0x3f800000, 0x3f000000)},
        {"offsets", zeros(202)},
        {"neighbours", zeros(1000)},
        {"found", zeros(2)},
        {"radius", number(0.125)}},
       100},
  };
  for (const PlanCase& one : cases) {
    INFO(one.line);
    const Results expected = through_cpp(device, one), found = through_c(opened, one);
    CHECK(expected == found);
    bool changed = false;
    for (const auto& [name, given] : one.given) {
      if (!given.words.empty()) changed = changed || found.at(name) != given.words;
    }
    CHECK(changed);
  }
}

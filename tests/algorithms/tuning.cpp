#include "algorithms/src/base/tuning_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <weft/compact.h>
#include <weft/reduce.h>
#include <numeric>

#include "environment.h"
#include "files.h"
#include "scan_check.h"
#include "select_check.h"

using namespace weft;
using namespace weft::test;
using namespace weft::algorithms;

namespace {

TuningEntry entry_for(const Device& device, const std::string& primitive, uint64_t count, const Tuning& tuning) {
  return {device.info().backend, device.info().name, primitive, 4, count, tuning};
}

}  // namespace

TEST_CASE("a tuning file reads back as it was written") {
  const TemporaryFolder folder;
  const std::vector<TuningEntry> entries{
      {"cuda", "NVIDIA H200", "scan", 4, 1 << 20, {128, 96, 3, 150}},
      {"vulkan", "a device = with, signs", "reduce", 16, uint64_t(1) << 33, {1024, 0, 0, 0}}};
  folder.write("tuning", to_text(entries) + "\n# a remark\n");
  const std::vector<TuningEntry> read = read_tuning(folder.path() / "tuning");
  REQUIRE_EQ(read.size(), entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    CHECK_EQ(read[i].backend, entries[i].backend);
    CHECK_EQ(read[i].device, entries[i].device);
    CHECK_EQ(read[i].primitive, entries[i].primitive);
    CHECK_EQ(read[i].element_bytes, entries[i].element_bytes);
    CHECK_EQ(read[i].count, entries[i].count);
    CHECK(read[i].tuning == entries[i].tuning);
  }
}

TEST_CASE("what is wrong in a tuning file is told with its line") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "tuning";
  const auto refused = [&](const std::string& line, const std::vector<std::string>& words) {
    folder.write("tuning", "# remark\n" + line + "\n");
    std::vector<std::string> all{file.string(), "line 2"};
    all.insert(all.end(), words.begin(), words.end());
    check_error(ErrorCode::invalid_argument, all, [&] { read_tuning(file); });
  };
  const std::string start = "primitive=scan element_bytes=4 count=1024 backend=cuda ";
  refused("primitive=scan", {"device="});
  refused("element_bytes=4 count=1024 backend=cuda device=x", {"primitive="});
  refused(start + "workgroup=100 device=x", {"power of two"});
  refused(start + "workgroup=4096 device=x", {"workgroup=4096", "64 to 1024"});
  refused(start + "look_back_pause=1e3 device=x", {"look_back_pause=1e3"});
  refused(start + "colour=3 device=x", {"colour"});
  refused(start + "fast device=x", {"fast", "name=value"});
  refused("primitive=scan element_bytes=4 count=1000 backend=cuda device=x", {"count", "power of two"});
  check_error(ErrorCode::io_failed, {"missing", "WEFT_TUNING"}, [&] { read_tuning(folder.path() / "missing"); });
}

TEST_CASE("the tuning file is the one that the environment names, else one beside the kernel cache") {
  const TemporaryFolder folder;
  const Environment cache("WEFT_CACHE_DIR", folder.path().c_str());
  {
    const Environment unset("WEFT_TUNING", nullptr);
    CHECK_FALSE(tuning_file().has_value());
    CHECK_EQ(tuning_file_to_write().value(), folder.path() / "tuning");
    folder.write("tuning", to_text({}));
    CHECK_EQ(tuning_file().value(), folder.path() / "tuning");
  }
  const Environment off("WEFT_TUNING", "");
  CHECK_FALSE(tuning_file().has_value());
  const Environment named("WEFT_TUNING", "/elsewhere/fast");
  CHECK_EQ(tuning_file().value(), "/elsewhere/fast");
}

TEST_CASE("a tuning file that others can change is an error where it is named, and otherwise not read") {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "tuning";
  folder.write("tuning", to_text({}));
  const Environment cache("WEFT_CACHE_DIR", folder.path().c_str());
  const Environment unset("WEFT_TUNING", nullptr);
  const auto check_refused = [&](const std::string& reason) {
    check_error(ErrorCode::io_failed, {file.string(), reason, "chmod"}, [&] { read_tuning(file); });
    CHECK_FALSE(tuning_file().has_value());
  };
  CHECK_EQ(tuning_file().value(), file);
  REQUIRE_EQ(chmod(file.c_str(), 0646), 0);
  check_refused("every user can write it");
  REQUIRE_EQ(chmod(file.c_str(), 0644), 0);
  CHECK(read_tuning(file).empty());
  if (geteuid() != 0) return;  // who cannot give files away
  REQUIRE_EQ(chown(file.c_str(), 12345, 0), 0);
  check_refused("it belongs to user 12345");
}

DEVICE_TEST("measured values take the place of the default ones, by device, primitive, element and count") {
  const TemporaryFolder folder;
  const Environment named("WEFT_TUNING", (folder.path() / "tuning").c_str());
  const Tuning small{64, 16, 1, 2}, large{128, 32, 3, 4}, other{512, 64, 5, 6};
  std::vector<TuningEntry> entries{entry_for(device, "scan", 1 << 20, large), entry_for(device, "scan", 1 << 10, small),
                                   entry_for(device, "reduce", 1 << 10, other)};
  entries.push_back(entries.front());
  entries.back().device += " of another model";
  entries.back().tuning = other;
  folder.write("tuning", to_text(entries));
  const Tuner tuner("scan", device.info(), 4);
  CHECK(tuner.at(0) == small);
  CHECK(tuner.at(1 << 10) == small);
  CHECK(tuner.at((1 << 10) + 1) == large);
  CHECK(tuner.at(uint64_t(1) << 40) == large);
  CHECK(Tuner("scan", device.info(), 8).at(1 << 10) == default_tuning("scan", {device.info(), 8, 1 << 10}));
  CHECK(Tuner("compact", device.info(), 4).at(1 << 10) == default_tuning("compact", {device.info(), 4, 1 << 10}));
  check_error(ErrorCode::invalid_argument, {"scann"}, [&] { Tuner("scann", device.info(), 4).at(1); });
}

DEVICE_TEST("plans of any tuning give right results, and temporary storage that grows with the count") {
  const TemporaryFolder folder;
  const Environment named("WEFT_TUNING", (folder.path() / "tuning").c_str());
  std::vector<TuningEntry> entries;
  for (const char* primitive : {"compact", "reduce", "scan"}) {
    entries.push_back(entry_for(device, primitive, 1 << 10, {64, 0, 0, 0}));
    entries.push_back(entry_for(device, primitive, 1 << 14, {1024, 32, 2, 20}));
  }
  folder.write("tuning", to_text(entries));
  Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("tuned");
  const Element element = Element::of<uint32_t>();
  const TestOperator<uint32_t> sum = sum_of<uint32_t>();
  uint64_t before[3] = {};
  for (const uint64_t count : {1 << 10, (1 << 10) + 1, 20011}) {
    const Scan scan(device, element, sum.on_device, count, {.kind = ScanKind::inclusive});
    const Reduce reduce(device, element, sum.on_device, count);
    const Compact compact(device, element, Selection::when("x % 2u == 0u"), count);
    const uint64_t bytes[3] = {scan.temporary_bytes(), reduce.temporary_bytes(), compact.temporary_bytes()};
    for (int i = 0; i < 3; ++i) {
      INFO("primitive ", i, ", elements ", count);
      CHECK_GE(bytes[i], before[i]);
      before[i] = bytes[i];
    }
    check_scan(stream, scan, sum, ScanKind::inclusive, count, generator);
    const std::vector<uint32_t> data = random_elements<uint32_t>(count, generator);
    const Buffer<uint32_t> input = device.buffer<uint32_t>(count), output = device.buffer<uint32_t>(count);
    const Buffer<uint64_t> selected = device.buffer<uint64_t>(1);
    const Buffer<std::byte> temporary = device.buffer<std::byte>(std::max(bytes[1], bytes[2]));
    stream.upload(input, data);
    compact.record(
        stream,
        {.input = input, .flags = {}, .output = output, .selected = selected, .count = count, .temporary = temporary});
    const auto kept = selected_elements(data, count, [](uint32_t x, uint64_t) { return x % 2 == 0; });
    check_same(stream.download(selected), {kept.size()});
    check_same(stream.download(output.part(0, kept.size())), kept);
    reduce.record(stream, {.input = input, .output = output.part(0, 1), .count = count, .temporary = temporary});
    check_same(stream.download(output.part(0, 1)), {std::accumulate(data.begin(), data.end(), 0u)});
  }
}

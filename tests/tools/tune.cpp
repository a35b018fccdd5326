#include <sstream>

#include "tests/support/environment.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

namespace {

std::vector<std::string> entries_of(const std::string& file) {
  std::istringstream text(file);
  std::vector<std::string> entries;
  for (std::string line; std::getline(text, line);) {
    if (!line.empty() && line.front() != '#') entries.push_back(line);
  }
  return entries;
}

}  // namespace

DEVICE_TEST("tune searches within its budget, and plans read what it stored") {
  const Folder folder;
  const std::vector<std::string> tune{"tune",     "reduce",    "--device", selector_of(device),
                                      "--sizes",  "2^10,2^12", "--time",   "0",
                                      "--budget", "0.5",       "-o",       "tuning"};
  const Outcome outcome = folder.weft(tune);
  check_success(outcome);
  CHECK(outcome.out.find("bytes_per_invocation=") != std::string::npos);
  const std::vector<std::string> entries = entries_of(folder.read("tuning"));
  REQUIRE_EQ(entries.size(), 2);
  for (size_t i = 0; i < entries.size(); ++i) {
    INFO(entries[i]);
    CHECK(entries[i].find("primitive=reduce element_bytes=4 count=" + std::to_string(i ? 4096 : 1024) + " ") == 0);
    CHECK(entries[i].ends_with(" backend=" + device.info().backend + " device=" + device.info().name));
  }
  const Environment named("WEFT_TUNING", (folder.path() / "tuning").c_str());
  check_success(folder.weft(
      {"bench", "reduce", "--device", selector_of(device), "--sizes", "1000,4096", "--time", "0", "--warm-up", "0"}));
  // A later search replaces the earlier one.
  check_success(folder.weft(tune));
  CHECK_EQ(entries_of(folder.read("tuning")).size(), 2);
}

DEVICE_TEST("tune that has nothing to store says so, and leaves no file") {
  const Folder folder;
  const Outcome outcome = folder.weft(
      {"tune", "reduce", "--device", selector_of(device), "--sizes", "2^10", "--types", "u8", "-o", "tuning"});
  check_failure(outcome, 2, {"nothing was stored in tuning"});
  CHECK(outcome.out.find("reduce u8 2^10  skipped: ") != std::string::npos);
  CHECK(outcome.out.find("stored in") == std::string::npos);
  CHECK(folder.names().empty());
}

DEVICE_TEST("tune takes the names of weft bench, and the file's with - for _") {
  const Folder folder;
  for (const std::string name : {"sort:pairs", "reduce-by-key", "tile-sort"}) {
    // 8-bit elements are skipped, but not before the names are looked up.
    const Outcome outcome = folder.weft(
        {"tune", name, "--device", selector_of(device), "--sizes", "2^10", "--types", "u8", "-o", "tuning"});
    check_failure(outcome, 2, {"nothing was stored"});
    std::string primitive = name;
    for (char& c : primitive) c = c == ':' || c == '-' ? '_' : c;
    CHECK(outcome.out.find("\n" + primitive + " u8 ") != std::string::npos);
  }
}

DEVICE_TEST("tune says what it cannot do") {
  const Folder folder;
  const std::string selector = selector_of(device);
  check_failure(folder.weft({"tune", "scann", "--device", selector}), 1, {"'scann'", "scan"});
  check_failure(folder.weft({"tune", "top-k", "--device", selector}), 1, {"'top-k'", "segmented_sort"});
  check_failure(folder.weft({"tune", "redcue-by-key", "--device", selector}), 1, {"did you mean reduce_by_key?"});
  folder.write("file", "");
  check_failure(folder.weft({"tune", "reduce", "--device", selector, "-o", "file/tuning"}), 1,
                {"cannot write file/tuning", "Not a directory"});
  check_failure(folder.weft({"tune", "--device", selector, "--sizes", "1000"}), 1, {"1,000", "powers of two"});
  folder.write("broken", "nonsense\n");
  check_failure(folder.weft({"tune", "--device", selector, "-o", "broken"}), 1, {"broken, line 1", "name=value"});
  const Environment broken("WEFT_TUNING", (folder.path() / "broken").c_str());
  check_failure(folder.weft({"bench", "reduce", "--device", selector, "--sizes", "1000"}), 1, {"broken, line 1"});
  const Environment none("WEFT_TUNING", "");
  check_failure(folder.weft({"tune", "--device", selector}), 1, {"WEFT_TUNING", "-o FILE"});
}

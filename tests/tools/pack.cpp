#include <cstdlib>

#include "tests/support/environment.h"
#include "tests/tools/verb.h"

// The verb pack.
using namespace weft;
using namespace weft::test;

TEST_CASE("pack makes a pack of a list, and shows what a pack holds") {
  const Folder folder;
  folder.write("list", "# sorts\nSort key=uint max_count=100\n");
  const Outcome made = folder.weft({"pack", "list", "--profile", "nvidia", "--profile", "amd", "-o", "a.weftpack"});
  check_success(made);
  CHECK(made.out.find("1 plans, 0 kernels") != std::string::npos);
  const Outcome shown = folder.weft({"pack", "--show", "a.weftpack"});
  check_success(shown);
  for (const char* line : {"for nvidia\n", "for amd\n", "Sort key=uint max_count=100\n", "radix_one_tile.comp"}) {
    CHECK(shown.out.find(line) != std::string::npos);
  }
  check_success(folder.weft({"pack", "list", "--profile", "nvidia", "--profile", "amd", "-o", "b.weftpack"}));
  CHECK(folder.read("a.weftpack") == folder.read("b.weftpack"));
  check_success(folder.weft({"pack", "list", "--profile", "nvidia", "--profile", "amd", "-o", "my plans.h"}));
  const std::string header = folder.read("my plans.h"), bytes = std::to_string(folder.read("a.weftpack").size());
  CHECK(header.find("static const unsigned char my_plans[" + bytes + "] = {") != std::string::npos);
}

DEVICE_TEST("the command takes kernels from the pack that WEFT_PACKS names") {
  const Folder folder;
  folder.write("in.npy", npy("<u4", std::vector<uint32_t>{3, 1, 2}));
  {
    const Environment list("WEFT_RECORD_PLANS", (folder.path() / "list").c_str());
    run(device, folder, {"sort", "in.npy", "-o", "out.npy"});
  }
  CHECK(folder.read("list").find("Sort key=uint") != std::string::npos);
  check_success(folder.weft({"pack", "list", "--device", device.info().selector, "-o", "pack"}));
  const Environment packs("WEFT_PACKS", (folder.path() / "pack").c_str());
  run(device, folder, {"sort", "in.npy", "-o", "out.npy", "--verify"});
  CHECK(folder.read("out.npy") == npy("<u4", std::vector<uint32_t>{1, 2, 3}));
  const Environment none("WEFT_PACKS", (folder.path() / "none").c_str());
  check_failure(folder.weft({"sort", "in.npy", "--device", device.info().selector}), 1, {"none", "No such file"});
}

TEST_CASE("pack makes no machine code without the vendor's compiler, and says what is missing") {
  const Folder folder;
  folder.write("list", "Sort key=uint max_count=100\n");
  const Environment none("WEFT_NVRTC", "/nowhere/libnvrtc.so.13");
  for (const BackendInfo& backend : list_devices()) {
    if (backend.name != "cuda") continue;
    check_failure(folder.weft({"pack", "list", "--profile", "nvidia", "--profile", "sm_90", "-o", "pack"}), 2,
                  {"machine code for sm_90", "/nowhere/libnvrtc.so.13", "WEFT_NVRTC"});
  }
  check_failure(folder.weft({"pack", "list", "--profile", "sm_60", "-o", "pack"}), 1, {"sm_60", "sm_75", "compute_75"});
  CHECK(!folder.has("pack"));
}

TEST_CASE("pack says what is missing or wrong, and writes nothing then") {
  const Folder folder;
  folder.write("list", "Sort key=uint max_count=100\n");
  folder.write("wrong", "Sort key=uint max_count=100\nScan element=float op=avg\n");
  folder.write("bad", "Map element=float expression=\"T(i) +\" max_count=5\n");
  folder.write("old", "what was here");
  check_failure(folder.weft({"pack"}), 1, {"list of plans", "--show"});
  check_failure(folder.weft({"pack", "list", "--profile", "nvidia"}), 1, {"-o FILE"});
  check_failure(folder.weft({"pack", "list", "-o", "old"}), 1, {"--profile", "--device"});
  check_failure(folder.weft({"pack", "list", "--profile", "riva", "-o", "old"}), 1, {"riva", "nvidia", "NAME.json"});
  check_failure(folder.weft({"pack", "wrong", "--profile", "nvidia", "-o", "old"}), 1, {"wrong:2", "'avg'", "sum"});
  check_failure(folder.weft({"pack", "bad", "--profile", "nvidia", "-o", "old"}), 1, {"T(i) +", "nvidia"});
  check_failure(folder.weft({"pack", "--show", "list"}), 1, {"is no pack"});
  CHECK_EQ(folder.read("old"), "what was here");
}

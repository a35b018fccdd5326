#include "tests/tools/verb.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("sums of integers have 64 bits unless a type is given, and b1 is u8") {
  if (!has_type<uint8_t>(device.info())) unsupported("the device has no 8-bit elements");
  const Folder folder;
  folder.write("in.npy", npy("|b1", std::vector<uint8_t>(300, 1)));
  folder.write("keys.npy", npy("<u4", std::vector<uint32_t>(300, 7)));
  folder.write("offsets.npy", npy("<u4", std::vector<uint32_t>{0, 300}));
  const auto gives = [&](const std::vector<std::string>& type, const std::string& before, const std::string& sum) {
    const auto out = [&](std::vector<std::string> arguments) {
      arguments.insert(arguments.begin() + 1, "in.npy");
      arguments.insert(arguments.end(), type.begin(), type.end());
      arguments.push_back("--verify");
      return run(device, folder, arguments).out;
    };
    CHECK(out({"reduce"}) == sum + "\n");
    CHECK(out({"reduce-by-key", "--keys", "keys.npy"}) == "[7]\n[" + sum + "]\n");
    CHECK(out({"segmented-reduce", "--offsets", "offsets.npy"}) == "[" + sum + "]\n");
    for (const std::vector<std::string>& scan : std::vector<std::vector<std::string>>{
             {"scan"}, {"scan-by-key", "--keys", "keys.npy"}, {"segmented-scan", "--offsets", "offsets.npy"}}) {
      std::vector<std::string> arguments = scan;
      arguments.push_back("--inclusive");
      CHECK(out(arguments).ends_with(", " + before + ", " + sum + "]\n"));
    }
  };
  gives({"--type", "u8"}, "43", "44");
  CHECK(run(device, folder, {"reduce", "in.npy", "--as", "u32"}).out == "300\n");
  CHECK(run(device, folder, {"scan", "in.npy", "--inclusive", "--as", "u32"}).out.ends_with(", 299, 300]\n"));
  if (device.info().features.int64) {
    gives({}, "299", "300");
  } else {
    for (const std::vector<std::string>& verb : std::vector<std::vector<std::string>>{
             {"reduce", "in.npy"}, {"segmented-reduce", "in.npy", "--offsets", "offsets.npy"}}) {
      std::vector<std::string> arguments = verb;
      arguments.insert(arguments.end(), {"--device", selector_of(device)});
      check_failure(folder.weft(arguments), 2, {"64 bits", "--type u8"});
    }
  }
  folder.write("signed.npy", npy("<i2", std::vector<int16_t>{-30000, -30000, 7}));
  if (has_type<int16_t>(device.info()) && device.info().features.int64) {
    CHECK(run(device, folder, {"reduce", "signed.npy", "--verify"}).out == "-59993\n");
    folder.write("three.npy", npy("<u4", std::vector<uint32_t>{0, 3}));
    CHECK(run(device, folder, {"segmented-reduce", "signed.npy", "--offsets", "three.npy", "--verify"}).out ==
          "[-59993]\n");
  }
}

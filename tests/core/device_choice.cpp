#include "core/src/runtime/device_choice.h"

#include <algorithm>
#include <map>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The device that open_device("") opens, for lists of devices that no machine has.

namespace {

DeviceInfo device(const std::string& selector, DeviceKind kind, const std::string& refusal = "") {
  DeviceInfo info;
  info.selector = selector;
  info.backend = selector.substr(0, selector.find(':'));
  info.name = "the device of " + selector;
  info.kind = kind;
  info.refusal = refusal;
  return info;
}

BackendInfo with_devices(const std::string& name, std::vector<DeviceInfo> devices) {
  return {name, devices, devices.empty() ? "lib" + name + ".so.1 not found" : ""};
}

constexpr auto discrete = DeviceKind::discrete_gpu, integrated = DeviceKind::integrated_gpu, cpu = DeviceKind::cpu;

/// A laptop with a discrete GPU, an integrated one, and a CPU driver of Vulkan.
std::vector<BackendInfo> laptop() {
  return {
      with_devices("cuda", {device("cuda:0", discrete)}), with_devices("hip", {device("hip:0", integrated)}),
      with_devices("vulkan", {device("vulkan:0", cpu), device("vulkan:1", integrated), device("vulkan:2", discrete)}),
      with_devices("host", {device("host", cpu)})};
}

/// The devices tried, in this order; all but those in `broken` open.
struct Tried {
  std::vector<std::string> selectors;
  DeviceChoice choice;
};

Tried choose(const std::vector<BackendInfo>& backends, const std::vector<std::string>& broken = {},
             const std::map<std::string, std::string>& without_kernels = {}) {
  Tried tried;
  const core::Opener open = [&](core::DeviceIndex index) {
    const std::string& selector = backends[index.backend].devices[index.device].selector;
    tried.selectors.push_back(selector);
    if (std::ranges::find(broken, selector) == broken.end()) return;
    throw Error(ErrorCode::out_of_memory, selector + " has no memory left");
  };
  tried.choice = core::choose_best(backends, open, {.without_kernels = without_kernels});
  CHECK_EQ(tried.choice.device.selector, tried.selectors.back());
  return tried;
}

bool holds(const std::vector<std::string>& lines, const std::string& text) {
  return std::ranges::any_of(lines, [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("a discrete GPU comes before an integrated one, and a CPU last; CUDA and HIP come before Vulkan") {
  const std::vector<BackendInfo> all = laptop();
  const std::vector<std::string> order{"cuda:0", "vulkan:2", "hip:0", "vulkan:1", "host", "vulkan:0"};
  for (size_t broken = 0; broken < order.size(); ++broken) {
    const std::vector<std::string> first(order.begin(), order.begin() + long(broken));
    const Tried tried = choose(all, first);
    CHECK_EQ(tried.selectors, std::vector<std::string>(order.begin(), order.begin() + long(broken) + 1));
  }
}

TEST_CASE("the choice gives its reason, and the reasons against the others") {
  const DeviceChoice choice = choose(laptop(), {"cuda:0"}).choice;
  CHECK_EQ(choice.device.selector, "vulkan:2");
  CHECK_EQ(choice.reason, "a discrete GPU, through vulkan");
  CHECK_EQ(choice.others.size(), 5);
  CHECK(holds(choice.others, "cuda:0 (the device of cuda:0) does not open: cuda:0 has no memory left"));
  CHECK(holds(choice.others, "hip:0 (the device of hip:0) is an integrated GPU"));
  CHECK(holds(choice.others, "host (the device of host) is a CPU"));
  CHECK(holds(choose(laptop()).choice.others,
              "vulkan:2 (the device of vulkan:2) is reached through vulkan, which comes after cuda"));
}

TEST_CASE("on a machine without a GPU the quicker device on the CPU opens, in whatever order they are listed") {
  const auto vulkan = with_devices("vulkan", {device("vulkan:0", cpu)}),
             host = with_devices("host", {device("host", cpu)});
  for (const auto& all : {std::vector{vulkan, host}, std::vector{host, vulkan}}) {
    const DeviceChoice choice = choose(all).choice;
    CHECK_EQ(choice.device.selector, "host");
    CHECK_EQ(choice.reason, "a CPU, through host; it runs what the C++ compiler makes, the quickest on a CPU");
    CHECK(holds(choice.others, "vulkan:0 (the device of vulkan:0) is slower than what the C++ compiler makes"));
    CHECK_EQ(choose(all, {"host"}).choice.device.selector, "vulkan:0");
  }
  CHECK_EQ(choose({host, with_devices("vulkan", {device("vulkan:0", DeviceKind::virtual_gpu)})}).choice.device.selector,
           "vulkan:0");
}

TEST_CASE("without a C++ compiler the host device comes last, and the choice says what is missing") {
  const auto vulkan = with_devices("vulkan", {device("vulkan:0", cpu)}),
             host = with_devices("host", {device("host", cpu)});
  for (const auto& all : {std::vector{vulkan, host}, std::vector{host, vulkan}}) {
    const DeviceChoice choice = choose(all, {}, {{"host", "there is no c++"}}).choice;
    CHECK_EQ(choice.device.selector, "vulkan:0");
    CHECK_EQ(choice.reason, "a CPU, through vulkan; it runs what its driver compiles");
    CHECK(holds(choice.others, "host (the device of host) compiles no kernels: there is no c++"));
  }
  const DeviceChoice alone = choose({host}, {}, {{"host", "there is no c++"}}).choice;
  CHECK_EQ(alone.device.selector, "host");
  CHECK_EQ(alone.reason, "a CPU, through host; it compiles no kernels: there is no c++");
}

TEST_CASE("a GPU without a compiler comes after every device that has one") {
  const std::string reason = "NVRTC is not found";
  const Tried tried = choose(laptop(), {"vulkan:2", "hip:0", "vulkan:1"}, {{"cuda:0", reason}});
  CHECK_EQ(tried.selectors, std::vector<std::string>{"vulkan:2", "hip:0", "vulkan:1", "host"});
  CHECK(holds(tried.choice.others, "cuda:0 (the device of cuda:0) compiles no kernels: " + reason));
  const DeviceChoice alone = choose({laptop().front()}, {}, {{"cuda:0", reason}}).choice;
  CHECK_EQ(alone.reason, "a discrete GPU, through cuda; it compiles no kernels: " + reason);
}

TEST_CASE("a refused device is skipped without being opened, and a backend without devices is named") {
  const std::vector<BackendInfo> all{with_devices("cuda", {}),
                                     with_devices("vulkan", {device("vulkan:0", discrete, "too old")}),
                                     with_devices("host", {device("host", cpu)})};
  const Tried tried = choose(all);
  CHECK_EQ(tried.selectors, std::vector<std::string>{"host"});
  CHECK_EQ(tried.choice.others.size(), 2);
  CHECK(holds(tried.choice.others, "vulkan:0 (the device of vulkan:0) is refused: too old"));
  CHECK(holds(tried.choice.others, "cuda has no device: libcuda.so.1 not found"));
}

TEST_CASE("within a kind and backend, the device with more capabilities comes first, then the first in the list") {
  std::vector<BackendInfo> all{with_devices("cuda", {device("cuda:0", discrete), device("cuda:1", discrete)})};
  CHECK_EQ(choose(all).choice.device.selector, "cuda:0");
  CHECK(holds(choose(all).choice.others, "cuda:1 (the device of cuda:1) is listed after it"));
  all[0].devices[1].capabilities.insert(1);
  CHECK_EQ(choose(all).choice.device.selector, "cuda:1");
}

TEST_CASE("if no device opens, the error has the reason of each and the first one's code") {
  const std::vector<BackendInfo> all = laptop();
  const Error error = check_error(ErrorCode::out_of_memory, {}, [&] {
    choose(all, {"cuda:0", "vulkan:2", "hip:0", "vulkan:1", "vulkan:0", "host"});
  });
  for (const BackendInfo& one : all) {
    for (const DeviceInfo& info : one.devices) {
      CHECK(std::string(error.what()).find(info.selector + " has no memory left") != std::string::npos);
    }
  }
  check_error(ErrorCode::out_of_memory, {"host has no memory left"},
              [&] { choose({with_devices("host", {device("host", cpu)})}, {"host"}); });
}

TEST_CASE("if there is no device to open, the error gives the reason for each backend and device") {
  check_error(
      ErrorCode::unsupported, {"cuda has no device: libcuda.so.1 not found", "vulkan:0", "refused: too old"},
      [] { choose({with_devices("cuda", {}), with_devices("vulkan", {device("vulkan:0", discrete, "too old")})}); });
}

TEST_CASE("if no device may be skipped, the best device opens or its error is thrown") {
  const std::vector<BackendInfo> all = laptop();
  size_t tried = 0;
  const core::Opener broken = [&](core::DeviceIndex) {
    ++tried;
    throw Error(ErrorCode::unsupported, "the validation layer is not installed");
  };
  check_error(ErrorCode::unsupported, {"layer is not installed"},
              [&] { core::choose_best(all, broken, {.pass_over = false}); });
  CHECK_EQ(tried, 1);
}

TEST_CASE("a device is found by its number, and by a part of its name in any case") {
  BackendInfo info = with_devices("vulkan", {device("vulkan:0", cpu, "too old"), device("vulkan:1", discrete)});
  info.devices[0].name = "NVIDIA T4";
  info.devices[1].name = "NVIDIA H200";
  CHECK_EQ(core::find_named(info, "1"), std::optional<size_t>(1));
  CHECK_EQ(core::find_named(info, "h200"), std::optional<size_t>(1));
  CHECK_EQ(core::find_named(info, "nvidia"), std::optional<size_t>(1));
  CHECK_EQ(core::find_named(info, "t4"), std::optional<size_t>(0));
  for (const char* none : {"", "2", "-1", "4294967296", "intel"}) CHECK_EQ(core::find_named(info, none), std::nullopt);
}

#include <doctest/doctest.h>

#include <vector>

#include <weft/interop/host.h>
#include <weft/map.h>
#include <weft/weft.h>

using namespace weft;

TEST_CASE("kernels work on memory of the program, and leave what is beside it") {
  for (const char* selector : {"host", "host:check=on"}) {
    INFO(selector);
    const Device device = open_device(selector);
    Stream stream = device.stream();
    alignas(16) uint32_t numbers[] = {1, 2, 3, 4, 5, 6, 7, 8};
    {
      const auto wrapped = host::wrap_pointer(device, numbers, 8);
      CHECK_EQ(wrapped.pointer().address, reinterpret_cast<uintptr_t>(numbers));
      map(stream, "x * 10u", wrapped.part(1, 5), wrapped.part(1, 5));
      stream.synchronize();
      CHECK(std::vector<uint32_t>(numbers, numbers + 8) == std::vector<uint32_t>{1, 20, 30, 40, 50, 60, 7, 8});
      CHECK(stream.download(wrapped.part(5, 2)) == std::vector<uint32_t>{60, 7});
    }
    numbers[0] = 9;  // it is still the program's
    CHECK_EQ(numbers[0], 9);
  }
}

TEST_CASE("what cannot be wrapped is refused") {
  const Device device = open_device("host");
  alignas(16) uint32_t numbers[8] = {};
  CHECK_THROWS_AS(host::wrap_pointer(device, numbers + 1, 4), Error);
  CHECK_THROWS_AS(host::wrap_pointer<uint32_t>(device, nullptr, 4), Error);
  CHECK_EQ(host::wrap_pointer(device, numbers, 0).size(), 0);
}

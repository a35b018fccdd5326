#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

DEVICE_TEST("views know their sizes, parts and addresses") {
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(100);
  CHECK_EQ(buffer.size(), 100);
  CHECK_EQ(buffer.bytes(), 400);
  CHECK_FALSE(buffer.empty());
  const View<uint32_t> all = buffer;
  CHECK_EQ(all.size(), 100);
  CHECK_EQ(all.pointer().address, buffer.pointer().address);
  CHECK_EQ(buffer.pointer().address % 256, 0);
  const View<uint32_t> part = buffer.part(10, 20);
  CHECK_EQ(part.size(), 20);
  CHECK_EQ(part.bytes(), 80);
  CHECK_EQ(part.pointer().address, buffer.pointer().address + 40);
  CHECK_EQ(part.part(5, 0).pointer().address, buffer.pointer().address + 60);
  CHECK_EQ(part.from(19).size(), 1);
  CHECK_EQ(part.from(20).size(), 0);
  const View<const uint32_t> constant = part;
  CHECK_EQ(constant.pointer().address, part.pointer().address);
  CHECK_EQ(Region().address(), 0);
  CHECK_EQ(Buffer<float>().pointer().address, 0);
}

DEVICE_TEST("parts that reach past the end are errors") {
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(100);
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(0, 101); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(101, 0); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(50, 51); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.view().from(101); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(10, 20).part(15, 6); });
  // Numbers with a sum or product that wraps around.
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.view().region().part(4, ~uint64_t(0) - 3); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.view().region().part(~uint64_t(0), 2); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(uint64_t(1) << 62, 1); });
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.part(1, uint64_t(1) << 62); });
}

DEVICE_TEST("a negative number of elements is shown as such") {
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(100);
  const char* const negative = "18446744073709551613 (-3 without its sign)";
  check_error(ErrorCode::invalid_argument, {negative}, [&] { buffer.part(0, uint64_t(-3)); });
  check_error(ErrorCode::invalid_argument, {negative}, [&] { device.buffer<uint32_t>(uint64_t(-3)); });
}

DEVICE_TEST("a view can change its type if the bytes divide evenly") {
  Stream stream = device.stream();
  const Buffer<uint32_t> buffer = device.buffer<uint32_t>(3);
  stream.upload(buffer, std::vector<uint32_t>{0x03020100, 0x07060504, 0x0b0a0908});
  const View<uint8_t> bytes = buffer.view().as<uint8_t>();
  check_same(stream.download(bytes), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  check_error(ErrorCode::invalid_argument, {}, [&] { buffer.view().as<uint64_t>(); });
  CHECK_EQ(buffer.part(1, 2).as<uint64_t>().size(), 1);
}

DEVICE_TEST("a moved-from buffer is empty") {
  Stream stream = device.stream();
  Buffer<uint32_t> first = device.buffer<uint32_t>(8);
  const uint64_t address = first.pointer().address;
  stream.fill(first, 6u);
  Buffer<uint32_t> second = std::move(first);
  CHECK(first.empty());
  CHECK_EQ(first.pointer().address, 0);
  CHECK_EQ(second.pointer().address, address);
  Buffer<uint32_t> third = device.buffer<uint32_t>(2);
  third = std::move(second);
  CHECK_EQ(third.size(), 8);
  check_same(stream.download(third), std::vector<uint32_t>(8, 6));
}

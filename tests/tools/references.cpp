#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/compare.h"
#include "support/order_bits.h"
#include "support/reference.h"
#include "support/text.h"
#include "support/timed_run.h"
#include "tests/support/test.h"

// The references behind --verify and weft bench must reject wrong results, not only accept right ones.
using namespace weft::support;
using weft::Half;
using namespace weft::test;

TEST_CASE("an integer reference accepts only the exact result") {
  RunningReference<uint32_t> sum(Operation::sum);
  CHECK_FALSE(sum.check(0));
  for (const uint32_t x : {0xffffffffu, 5u, 10u}) sum.add(x);
  CHECK_FALSE(sum.check(14));
  CHECK(sum.check(15).value() == "got 15, expected 14");
  RunningReference<int64_t> least(Operation::min);
  CHECK_FALSE(least.check(std::numeric_limits<int64_t>::max()));
  for (const int64_t x : {3, -7, 2}) least.add(x);
  CHECK_FALSE(least.check(-7));
  CHECK(least.check(2));
}

TEST_CASE("a floating-point reference accepts other orders of addition and no lost element") {
  std::mt19937_64 generator = random_generator("references");
  std::vector<float> values(100000);
  for (float& x : values) x = float(generator() % 1000) * 0.1f;
  RunningReference<float> reference(Operation::sum);
  for (const float x : values) reference.add(x);
  float forwards = 0, blocks = 0;
  for (const float x : values) forwards += x;
  for (size_t first = 0; first < values.size(); first += 100) {
    float block = 0;
    for (size_t i = first; i < first + 100; ++i) block += values[i];
    blocks += block;
  }
  CHECK_FALSE(reference.check(blocks));
  CHECK(reference.check(forwards * 1.01f));
  CHECK(reference.check(std::nanf("")));
  CHECK(reference.check(INFINITY));
}

TEST_CASE("a reference of half floats knows their range") {
  RunningReference<Half> sum(Operation::sum), least(Operation::min);
  CHECK_FALSE(least.check(Half(INFINITY)));
  for (const float x : {60000.0f, 60000.0f, -60000.0f}) {
    sum.add(Half(x));
    least.add(Half(x));
  }
  CHECK_FALSE(sum.check(Half(60000)));
  CHECK_FALSE(sum.check(Half(INFINITY)));  // the sum of two of them
  CHECK(sum.check(Half(0)));
  CHECK_FALSE(least.check(Half(-60000)));
  CHECK(least.check(Half(60000)).value() == "got 60000, expected -60000");
  RunningReference<Half> small(Operation::sum);
  for (int i = 0; i < 10; ++i) small.add(Half(1));
  CHECK_FALSE(small.check(Half(10)));
  CHECK(small.check(Half(9)));
  CHECK(small.check(Half(INFINITY)));
}

TEST_CASE("a reference of min and max skips NaNs and tells zeros apart") {
  const float nan = std::nanf("");
  const auto check = [](Operation operation, std::initializer_list<float> elements, float got) {
    RunningReference<float> reference(operation);
    for (const float x : elements) reference.add(x);
    return reference.check(got).value_or("right");
  };
  CHECK(check(Operation::min, {nan, -1}, -1) == "right");
  CHECK(check(Operation::min, {nan, -1}, INFINITY) == "got inf, expected -1");
  CHECK(check(Operation::max, {3, nan, 1}, 3) == "right");
  CHECK(check(Operation::max, {3, nan, 1}, nan) == "got nan, expected 3");
  CHECK(check(Operation::max, {nan, nan}, -nan) == "right");
  CHECK(check(Operation::max, {nan, nan}, -INFINITY) == "got -inf, expected nan");
  CHECK(check(Operation::min, {nan, INFINITY}, INFINITY) == "right");
  CHECK(check(Operation::min, {0.0f, -0.0f}, 0.0f) == "got 0, expected -0");
  CHECK(check(Operation::max, {-0.0f, 0.0f}, 0.0f) == "right");
  CHECK(check(Operation::min, {0.0f, -1e-40f}, 0.0f) != "right");
}

TEST_CASE("a scan reference names the first wrong element") {
  const std::vector<uint32_t> input{1, 2, 3, 4};
  const auto check = [&](bool inclusive, const std::vector<uint32_t>& output) {
    return ScanReference<uint32_t>(Operation::sum, inclusive).check(input, output);
  };
  CHECK_FALSE(check(true, {1, 3, 6, 10}));
  CHECK_FALSE(check(false, {0, 1, 3, 6}));
  CHECK(check(true, {1, 3, 7, 11}).value() == "element 2: got 7, expected 6");
  CHECK(check(false, {1, 3, 6, 10}).value() == "element 0: got 1, expected 0");
}

TEST_CASE("a scan reference continues after the previous piece") {
  ScanReference<float> reference(Operation::max, false);
  CHECK_FALSE(reference.check(std::vector<float>{5, 3}, std::vector<float>{-INFINITY, 5}));
  CHECK_FALSE(reference.check(std::vector<float>{7, 1}, std::vector<float>{5, 7}));
  CHECK(reference.check(std::vector<float>{0}, std::vector<float>{1}).value().starts_with("element 4"));
}

TEST_CASE("values are read and written without loss") {
  std::mt19937_64 generator = random_generator("values");
  for (int t = 0; t <= int(ScalarType::f64); ++t) {
    const auto type = ScalarType(t);
    for (int i = 0; i < 200; ++i) {
      uint64_t bits = generator();
      if (bytes(type) < 8) bits &= (uint64_t(1) << (8 * bytes(type))) - 1;
      const std::string text = format_value(type, &bits);
      if (text.find("nan") != std::string::npos) continue;
      INFO(to_string(type) << " " << text);
      CHECK(parse_value(type, text, "x") == bits);
    }
  }
  CHECK(parse_value(ScalarType::f16, "1", "x") == 0x3c00);
  CHECK(parse_value(ScalarType::f16, "-65504", "x") == 0xfbff);
  CHECK(parse_value(ScalarType::f16, "65520", "x") == 0x7c00);
  CHECK(parse_value(ScalarType::f16, "5.9604645e-8", "x") == 1);
  CHECK(parse_value(ScalarType::u8, "0xff", "x") == 255);
  CHECK(parse_value(ScalarType::i8, "-128", "x") == 0x80);
  for (const auto& [type, text] : {std::pair(ScalarType::u8, "256"),
                                   {ScalarType::i8, "128"},
                                   {ScalarType::u32, "-1"},
                                   {ScalarType::u32, "1.5"},
                                   {ScalarType::i64, "9223372036854775808"},
                                   {ScalarType::f32, "1e99"},
                                   {ScalarType::f32, "one"},
                                   {ScalarType::u32, ""}}) {
    INFO(to_string(type) << " " << text);
    check_error(weft::ErrorCode::invalid_argument, {"x: ", text},
                [type = type, text = text] { parse_value(type, text, "x"); });
  }
}

TEST_CASE("quantities are shown with three digits and a unit") {
  CHECK(format_seconds(1.234e-5) == "12.3 us");
  CHECK(format_seconds(0.99999) == "1.00 s");
  CHECK(format_seconds(9.9996e-7) == "1.00 us");
  CHECK(format_rate(4.056e12) == "4.06 TB/s");
  CHECK(format_bytes(1023) == "1023 bytes");
  CHECK(format_bytes(1536) == "1.50 KiB");
  CHECK(format_count(1234567) == "1,234,567");
  CHECK(format_count(123) == "123");
  CHECK(format_size(1 << 20) == "2^20");
  CHECK(parse_size("64K", "x") == 65536);
  CHECK(parse_size("2^34", "x") == uint64_t(1) << 34);
  check_error(weft::ErrorCode::invalid_argument, {"2^64"}, [] { parse_size("2^64", "x"); });
}

TEST_CASE("the total order of numbers is by value, with zeros by their sign and NaN at the ends") {
  const auto ascends = [](const auto&... numbers) {
    const std::vector<uint64_t> orders{uint64_t(order_bits(numbers))...};
    CHECK(std::ranges::adjacent_find(orders, std::greater_equal()) == orders.end());
  };
  const auto floats_ascend = [&](auto zero) {
    using T = decltype(zero);
    using Limits = FloatLimits<T>;
    const auto number = [](double x) { return T(std::conditional_t<std::is_same_v<T, Half>, float, T>(x)); };
    const T infinity = number(std::numeric_limits<double>::infinity()), nan = number(std::nan(""));
    ascends(T(-nan), T(-infinity), number(-1.5), number(-Limits::min), T(-zero), zero, number(Limits::min), number(1.5),
            infinity, nan);
  };
  floats_ascend(Half(0.0f));
  floats_ascend(0.0f);
  floats_ascend(0.0);
  ascends(uint8_t(0), uint8_t(1), uint8_t(127), uint8_t(128), uint8_t(255));
  ascends(int8_t(-128), int8_t(-1), int8_t(0), int8_t(1), int8_t(127));
  ascends(int16_t(-300), int16_t(-1), int16_t(0), int16_t(300));
  ascends(INT32_MIN, -1, 0, 1, INT32_MAX);
  ascends(INT64_MIN, int64_t(-1), int64_t(0), INT64_MAX);
  ascends(uint64_t(0), uint64_t(1) << 63, ~uint64_t(0));
}

TEST_CASE("the first number whose bits differ is reported with both values") {
  const std::vector<float> got{1.5f, 0.0f, 3.0f}, expected{1.5f, -0.0f, 4.0f};
  const auto difference = [](std::span<const float> a, std::span<const float> b) {
    return first_difference(ScalarType::f32, std::as_bytes(a), std::as_bytes(b), "key");
  };
  CHECK_FALSE(difference(got, got));
  CHECK_FALSE(difference({}, {}));
  CHECK(difference(got, expected).value() == "key 1: got 0, expected -0");
  CHECK(difference(std::span(got).last(1), std::span(expected).last(1)).value() == "key 0: got 3, expected 4");
  CHECK(difference(std::span(got).first(2), got).value() == "key 2: got nothing, expected 3");
  CHECK(difference(got, std::span(got).first(1)).value() == "key 1: got 0, expected nothing");
  CHECK(difference({}, got).value() == "key 0: got nothing, expected 1.5");
  CHECK(difference(expected, std::span(got).first(2)).value() == "key 1: got -0, expected 0");
}

TEST_CASE("numbers are gathered in the order of their indices") {
  const std::vector<uint16_t> numbers{10, 11, 12, 13};
  const auto data = std::as_bytes(std::span(numbers));
  const Array array{ScalarType::u16, {4}, {data.begin(), data.end()}};
  const std::vector<std::byte> gathered = gather(array, std::vector<uint64_t>{3, 0, 3});
  const std::vector<uint16_t> wanted{13, 10, 13};
  CHECK(std::ranges::equal(gathered, std::as_bytes(std::span(wanted))));
  CHECK(gather(array, {}).empty());
}

DEVICE_TEST("a timed run does its work once, or the given number of times, on overwritten memory") {
  weft::Stream stream = device.stream();
  std::mt19937_64 generator = random_generator("timed run");
  const size_t size = 4 * (1 + generator() % 9) + 3;  // not a whole number of words
  const std::vector<std::byte> bytes(size, std::byte(1 + generator() % 100));
  const weft::Buffer<std::byte> memory = upload(stream, bytes);
  CHECK(stream.download(memory) == bytes);
  for (const int wanted : {1, 5}) {
    int runs = 0;
    const RunTimes times = timed_run(stream, uint32_t(wanted), {memory}, [&](weft::Recorder&) { ++runs; });
    CHECK(times.median() >= 0);
    CHECK(runs == wanted);
    CHECK(times.text().starts_with("5 runs, median ") == (wanted == 5));
  }
  const std::vector<std::byte> left = stream.download(memory);
  for (size_t i = 0; i < size; ++i) CHECK(left[i] != bytes[i]);
}

#include "tools/verbs/runs/segment_starts.h"

#include <cstring>
#include <optional>
#include <span>

#include <weft/device.h>

#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

template <typename K>
std::vector<uint64_t> starts_of(std::span<const K> keys) {
  std::vector<uint64_t> starts;
  for (uint64_t i = 0; i < keys.size(); ++i) {
    if (i == 0 || !(keys[i] == keys[i - 1])) starts.push_back(i);
  }
  starts.push_back(keys.size());
  return starts;
}

bool is_negative(ScalarType type, const std::byte* number) {
  return is_signed_integer(type) && (number[bytes(type) - 1] & std::byte{0x80}) != std::byte{0};
}

}  // namespace

void add_offsets_option(Verb& verb, std::string& file) {
  verb.add_option("--offsets", file, "The start of each segment, then the end of the last one (raw: u32)")
      .required()
      .type_name("FILE");
}

void add_keys_option(Verb& verb, std::string& file) {
  verb.add_option("--keys", file, "The keys, one for each number (raw: of IN's type)").required().type_name("FILE");
}

Array read_keys(const PrimitiveOptions& options, const std::string& file, const Array& input) {
  Array keys = read_beside(input, file);
  const uint64_t count = input.count();
  if (keys.count() == count) return keys;
  throw Error(ErrorCode::invalid_argument, file + " holds " + format_count(keys.count()) + " keys, but " +
                                               options.input + " holds " + format_count(count) + " numbers");
}

std::vector<uint64_t> run_starts(const Array& keys) {
  return visit_number_type(keys.type, [&](auto t) { return starts_of(keys.as<typename decltype(t)::type>()); });
}

std::vector<uint64_t> read_whole_numbers(const std::string& file, const std::string& what) {
  const Array array = read_beside(ScalarType::u32, file);
  if (is_float(array.type)) {
    throw Error(ErrorCode::invalid_argument, file + " holds floating-point numbers; " + what + " must be integers");
  }
  const size_t width = bytes(array.type);
  std::vector<uint64_t> numbers(array.count());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const std::byte* number = &array.data[i * width];
    if (is_negative(array.type, number)) {
      throw Error(ErrorCode::invalid_argument,
                  file + ": number " + std::to_string(i) + " is negative; " + what + " must not be");
    }
    std::memcpy(&numbers[i], number, width);  // Hosts are little-endian.
  }
  return numbers;
}

std::vector<uint64_t> read_offsets(const PrimitiveOptions& options, const std::string& file, uint64_t count) {
  std::vector<uint64_t> offsets = read_whole_numbers(file, "offsets");
  if (offsets.empty()) {
    throw Error(ErrorCode::invalid_argument, file + " is empty; offsets are one more than the segments");
  }
  for (size_t i = 0; i < offsets.size(); ++i) {
    if (offsets[i] <= count && (i == 0 || offsets[i - 1] <= offsets[i])) continue;
    throw Error(ErrorCode::invalid_argument, file + ": offset " + std::to_string(i) +
                                                 " is less than the one before it or greater than the " +
                                                 format_count(count) + " numbers of " + options.input);
  }
  return offsets;
}

std::vector<uint64_t> starts_of_all(const std::vector<uint64_t>& offsets, uint64_t count) {
  std::vector<uint64_t> starts{0};
  starts.insert(starts.end(), offsets.begin(), offsets.end());
  starts.push_back(count);
  return starts;
}

Buffer<std::byte> upload_numbers(Stream& stream, const std::vector<uint64_t>& numbers, uint32_t number_bytes) {
  auto memory = stream.device().buffer<std::byte>(numbers.size() * number_bytes);
  if (number_bytes == 4) {
    const std::vector<uint32_t> narrow(numbers.begin(), numbers.end());
    stream.upload(memory.view().as<uint32_t>(), std::span(narrow));
  } else {
    stream.upload(memory.view().as<uint64_t>(), std::span(numbers));
  }
  return memory;
}

}  // namespace weft::tools

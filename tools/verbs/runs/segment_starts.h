#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "tools/primitive.h"

namespace weft::tools {

// Shared by the verbs by key and by segment: where segments start.

/// Adds --offsets.
void add_offsets_option(Verb& verb, std::string& file);

/// Adds --keys.
void add_keys_option(Verb& verb, std::string& file);

/// Reads the keys of a file, one for each number of the input. Throws invalid_argument if there are more or fewer.
support::Array read_keys(const PrimitiveOptions& options, const std::string& file, const support::Array& input);

/// Returns the start of each run of equal neighbouring keys, then the number of keys.
std::vector<uint64_t> run_starts(const support::Array& keys);

/// Reads the offsets or lengths of a file; raw ones are u32. Throws invalid_argument for negative numbers and those
/// that are no integers. `what` names the numbers in messages.
std::vector<uint64_t> read_whole_numbers(const std::string& file, const std::string& what);

/// Reads the offsets of a file. Throws invalid_argument if there are none, they do not ascend, or one is greater than
/// `count`, the number of elements in the input.
std::vector<uint64_t> read_offsets(const PrimitiveOptions& options, const std::string& file, uint64_t count);

/// Returns the start of each segment, then `count`. The elements before the first offset and those after the last one
/// are two further segments.
std::vector<uint64_t> starts_of_all(const std::vector<uint64_t>& offsets, uint64_t count);

/// Uploads the numbers with 4 or 8 bytes each.
Buffer<std::byte> upload_numbers(Stream& stream, const std::vector<uint64_t>& numbers, uint32_t number_bytes);

}  // namespace weft::tools

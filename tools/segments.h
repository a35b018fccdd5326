#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weft/buffer.h>
#include <weft/stream.h>

#include "primitive.h"

namespace weft::tools {

// What the verbs by key and by segments share: where segments start.

/// Adds --offsets.
void add_offsets_option(Verb& verb, std::string& file);

/// Adds --keys.
void add_keys_option(Verb& verb, std::string& file);

/// The keys of a file, one for each number of the input. Throws invalid_argument where there are more or fewer.
Array read_keys(const PrimitiveOptions& options, const std::string& file, const Array& input);

/// Where runs of equal neighbouring keys start, and behind them the number of keys.
std::vector<uint64_t> run_starts(const Array& keys);

/// The offsets of a file, or its lengths: unsigned numbers, raw ones u32. Throws invalid_argument for other numbers
/// than integers and for negative ones; `what` they are, for messages.
std::vector<uint64_t> read_whole_numbers(const std::string& file, const std::string& what);

/// The offsets of a file. Throws invalid_argument where there is none, or where they do not ascend or leave the `count`
/// numbers of the input.
std::vector<uint64_t> read_offsets(const PrimitiveOptions& options, const std::string& file, uint64_t count);

/// Where segments start when those before the first offset and behind the last one are two more, and behind them
/// `count`.
std::vector<uint64_t> starts_of_all(const std::vector<uint64_t>& offsets, uint64_t count);

/// Those numbers in device memory, of 4 or 8 bytes.
Buffer<std::byte> upload_numbers(Stream& stream, const std::vector<uint64_t>& numbers, uint32_t number_bytes);

}  // namespace weft::tools

#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <weft/kernel.h>

/// Modules that are almost right, for the tests that nothing in them brings the process down.
namespace weft::test {

/// `words` with one to three small changes. Most change what a valid module may hold (a constant, a decoration, an id
/// for another of the same type, the size of a workgroup), some anything: bits, words, instructions, the length.
std::vector<uint32_t> mutated(std::vector<uint32_t> words, std::mt19937_64& random);

/// What becomes of a module on its way to a device.
enum class Fate { refused_by_validator, refused, translated };

/// Validates, reflects and translates a module for each target, with random values for its specialization constants.
/// Throws whatever is no weft::Error.
Fate process(const std::vector<uint32_t>& words, std::mt19937_64& random);

}  // namespace weft::test

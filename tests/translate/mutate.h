#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <weft/kernel.h>

/// Modules that are almost correct, to test that none of them crashes the process.
namespace weft::test {

/// Returns `words` with one to three small changes. Most stay within a valid module (a constant, a decoration, an id
/// for another of the same type, the size of a workgroup); some change anything: bits, words, instructions, the length.
std::vector<uint32_t> mutated(std::vector<uint32_t> words, std::mt19937_64& random);

/// The outcome of processing a module.
enum class Fate { refused_by_validator, refused, translated };

/// Validates, reflects and translates a module for each target, with random values for its specialization constants.
/// Throws only exceptions other than weft::Error.
Fate process(const std::vector<uint32_t>& words, std::mt19937_64& random);

}  // namespace weft::test

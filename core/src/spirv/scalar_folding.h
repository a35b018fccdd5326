#pragma once

#include <cstdint>
#include <optional>
#include <spirv/unified1/spirv.hpp>

namespace weft::core {

/// A SPIR-V scalar: its bits, and its width in bits.
struct Scalar {
  uint64_t bits = 0;
  uint32_t width = 32;

  uint64_t mask() const { return width >= 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1; }
  int64_t as_signed() const {
    const uint64_t sign = uint64_t{1} << (width - 1);
    return static_cast<int64_t>(((bits & mask()) ^ sign) - sign);
  }
};

/// The result of a SPIR-V operation on scalars; nullopt for unknown operations and undefined results (division by
/// zero). Bits above the width of the result type are arbitrary.
std::optional<uint64_t> fold_unary(spv::Op op, Scalar a);
std::optional<uint64_t> fold_binary(spv::Op op, Scalar a, Scalar b);

}  // namespace weft::core

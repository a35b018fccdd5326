#include "algorithms/src/base/fields.h"

#include <algorithm>
#include <array>

namespace weft::algorithms {
namespace {

constexpr std::array<Scalar, 11> scalars{{{"int8_t", 1, "i8vec"},
                                          {"uint8_t", 1, "u8vec"},
                                          {"int16_t", 2, "i16vec"},
                                          {"uint16_t", 2, "u16vec"},
                                          {"int", 4, "ivec"},
                                          {"uint", 4, "uvec"},
                                          {"int64_t", 8, "i64vec"},
                                          {"uint64_t", 8, "u64vec"},
                                          {"float16_t", 2, "f16vec"},
                                          {"float", 4, "vec"},
                                          {"double", 8, "dvec"}}};

std::string listed(std::string_view Scalar::* name) {
  std::string text;
  for (const Scalar& scalar : scalars) text += (text.empty() ? "" : ", ") + std::string(scalar.*name);
  return text;
}

}  // namespace

const Scalar* find_scalar(std::string_view type) {
  const auto found = std::ranges::find(scalars, type, &Scalar::type);
  return found == scalars.end() ? nullptr : &*found;
}

std::string listed_scalars() { return listed(&Scalar::type); }
std::string listed_vectors() { return listed(&Scalar::vector); }

FieldType field_type(std::string_view type) {
  if (const Scalar* scalar = find_scalar(type)) return {scalar, 1};
  if (type.empty() || type.back() < '2' || type.back() > '4') return {};
  const auto found = std::ranges::find(scalars, type.substr(0, type.size() - 1), &Scalar::vector);
  if (found == scalars.end()) return {};
  return {&*found, uint32_t(type.back() - '0')};
}

}  // namespace weft::algorithms

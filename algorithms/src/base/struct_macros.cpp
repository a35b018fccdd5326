#include "algorithms/src/base/struct_macros.h"

namespace weft::algorithms {
namespace {

void append(std::string& list, const std::string& item, const char* separator = ", ") {
  list += (list.empty() ? "" : separator) + item;
}

std::string word_at(uint32_t number) { return "words[" + std::to_string(number) + "]"; }

}  // namespace

StructMacros::StructMacros(const Element& element) : unit_bytes_(element.unit_bytes()), words_(element.words()) {
  for (size_t i = 0; i < element.fields().size(); ++i) {
    const Element::Field& field = element.fields()[i];
    fields += field.type + " " + field.name + "; ";
    append(from_words, add_field(field, element.offset(i)));
  }
  for (const std::string& word : words_) append(to_words, word.empty() ? "0u" : word);
}

// Stores a scalar in the words and returns it as an expression of them.
std::string StructMacros::add_field(const Element::Field& field, uint32_t offset) {
  const FieldType type = field_type(field.type);
  if (type.components == 1) return add_scalar(*type.scalar, "e." + field.name, offset);
  std::string parts;
  for (uint32_t c = 0; c < type.components; ++c) {
    append(parts, add_scalar(*type.scalar, "e." + field.name + "." + "xyzw"[c], offset + c * type.scalar->bytes));
  }
  return field.type + "(" + parts + ")";
}

std::string StructMacros::add_scalar(const Scalar& scalar, const std::string& expression, uint32_t offset) {
  const uint32_t first = offset / unit_bytes_, shift = offset % unit_bytes_ * 8;
  const std::string type(scalar.type);
  if (scalar.bytes == 8) return add_pair(scalar, expression, first);
  if (scalar.bytes == 4) {
    words_[first] = (type == "float" ? "floatBitsToUint(" : "uint(") + expression + ")";
    return (type == "float" ? "uintBitsToFloat(" : type == "int" ? "int(" : "(") + word_at(first) + ")";
  }
  const std::string mask = scalar.bytes == 1 ? "0xFFu" : "0xFFFFu";
  append(words_[first], "(weft_to_words(" + expression + ")[0] & " + mask + ") << " + std::to_string(shift), " | ");
  const std::string bits = word_at(first) + " >> " + std::to_string(shift);  // with the bits of later scalars above
  return type == "float16_t" ? "unpackFloat2x16(" + bits + ").x" : type + "(" + bits + ")";
}

std::string StructMacros::add_pair(const Scalar& scalar, const std::string& expression, uint32_t first) {
  for (uint32_t half = 0; half < 2; ++half) {
    words_[first + half] = "weft_to_words(" + expression + ")[" + std::to_string(half) + "]";
  }
  const std::string pair = "uvec2(" + word_at(first) + ", " + word_at(first + 1) + ")";
  if (scalar.type == "double") return "packDouble2x32(" + pair + ")";
  return std::string(scalar.type) + "(packUint2x32(" + pair + "))";
}

}  // namespace weft::algorithms

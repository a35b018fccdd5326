#include "algorithms/src/plans/fields.h"

#include <charconv>

#include <weft/error.h>

#include "algorithms/src/base/number_text.h"

namespace weft::algorithms {
namespace {

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }

template <typename T>
void read_number(const std::string& text, T& value, const char* what) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) fail("'" + text + "' is not " + what);
}

// "struct{float lo; vec3 at;}", as Element::name() writes it.
Element read_struct(const std::string& text) {
  const std::string_view head = "struct{";
  if (!text.ends_with(";}")) fail("'" + text + "' does not end with ';}'");
  std::vector<Element::Field> fields;
  for (size_t at = head.size(); at < text.size() - 1;) {
    const size_t end = text.find(';', at);
    const size_t from = text.find_first_not_of(' ', at);
    const std::string field = text.substr(from, end - from);
    const size_t space = field.rfind(' ');
    if (space == std::string::npos) fail("'" + field + "' is not a type and a name");
    fields.push_back({field.substr(0, space), field.substr(space + 1)});
    at = end + 1;
  }
  return Element::structure(std::move(fields));
}

}  // namespace

std::string text_of(uint64_t value) { return std::to_string(value); }
std::string text_of(float value) { return number_text(value); }
std::string text_of(double value) { return number_text(value); }
std::string text_of(const Element& element) { return element.bytes() == 0 ? "" : element.name(); }
std::string text_of(const Tuning& tuning) { return tuning.text(); }

void read_text(const std::string& text, uint64_t& value) { read_number(text, value, "a whole number up to 2^64 - 1"); }
void read_text(const std::string& text, float& value) { read_number(text, value, "a number"); }
void read_text(const std::string& text, double& value) { read_number(text, value, "a number"); }
void read_text(const std::string& text, Element& element) {
  element = text.starts_with("struct{") ? read_struct(text) : Element::scalar(text);
}
void read_text(const std::string& text, Tuning& tuning) { tuning = Tuning::parse(text); }

void fail_choice(const std::string& text, const std::string& names) { fail("'" + text + "' is none of: " + names); }

void FieldNamer::add(const std::string& name) {
  const bool is_optional = !optional_.empty() && (name == optional_ || name.starts_with(optional_ + "."));
  names += (names.empty() ? "" : ", ") + name + (is_optional ? " (optional)" : "");
}

void FieldReader::fail_size(const std::string& name, uint64_t value) {
  fail(name + ": " + std::to_string(value) + " is too large");
}

const std::string* FieldReader::take(const std::string& name) {
  const auto found = texts_.find(name);
  visited_.insert(name);
  return found == texts_.end() ? nullptr : &found->second;
}

bool FieldReader::has(const std::string& name, bool) const {
  const auto found = texts_.lower_bound(name);
  return found != texts_.end() && (found->first == name || found->first.starts_with(name + "."));
}

void FieldReader::require_all_read(const std::string& names) const {
  for (const auto& [name, text] : texts_) {
    if (!visited_.contains(name)) fail("there is no '" + name + "' here; there are: " + names);
  }
}

void rethrow_named(const std::string& name) {
  try {
    throw;
  } catch (const Error& error) {
    throw Error(error.code(), name + ": " + error.what(), error.log());
  }
}

}  // namespace weft::algorithms

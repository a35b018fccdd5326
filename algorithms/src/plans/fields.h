#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <weft/element.h>
#include <weft/tuning.h>

/// What plans are made from, as text. Each plan has a struct with the parameters of its constructor (all_plans.h),
/// whose each() visits them by name; a visitor writes them or reads them.
namespace weft::algorithms {

/// Texts by name, in the order in which a plan has them.
using FieldTexts = std::vector<std::pair<std::string, std::string>>;

// A value as text, and back. Reading throws invalid_argument that says what was expected.
std::string text_of(uint64_t value);
std::string text_of(float value);
std::string text_of(double value);
std::string text_of(const Element& element);
std::string text_of(const Tuning& tuning);
void read_text(const std::string& text, uint64_t& value);
void read_text(const std::string& text, float& value);
void read_text(const std::string& text, double& value);
void read_text(const std::string& text, Element& element);
void read_text(const std::string& text, Tuning& tuning);

/// A value of an enumeration and its name.
template <typename E>
struct Choice {
  const char* name;
  E value;
};
[[noreturn]] void fail_choice(const std::string& text, const std::string& names);

/// Visits the fields of a plan to write them.
class FieldWriter {
 public:
  static constexpr bool reads = false;

  template <typename T>
  void operator()(const std::string& name, T& value) {
    if constexpr (std::is_same_v<T, std::string>) {
      texts.emplace_back(name, value);
    } else if constexpr (std::is_same_v<T, bool>) {
      texts.emplace_back(name, value ? "true" : "false");
    } else if constexpr (std::is_integral_v<T>) {
      texts.emplace_back(name, text_of(uint64_t{value}));
    } else {
      texts.emplace_back(name, text_of(value));
    }
  }
  template <typename E>
  void choice(const std::string& name, E& value, std::initializer_list<Choice<E>> choices) {
    for (const Choice<E>& one : choices) {
      if (one.value == value) texts.emplace_back(name, one.name);
    }
  }
  /// Whether the optional fields under `name` are visited.
  bool has(const std::string&, bool is_set) const { return is_set; }

  FieldTexts texts;
};

/// Visits the fields of a plan to name them: "key, value (optional), max_count".
class FieldNamer {
 public:
  static constexpr bool reads = false;

  template <typename T>
  void operator()(const std::string& name, T&) {
    add(name);
  }
  template <typename E>
  void choice(const std::string& name, E&, std::initializer_list<Choice<E>>) {
    add(name);
  }
  bool has(const std::string& name, bool) {
    optional_ = name;
    return true;
  }

  std::string names;

 private:
  void add(const std::string& name);

  std::string optional_;  ///< The last optional field. Its parts follow it.
};

/// Visits the fields of a plan to read them. Fields without a text keep their values.
class FieldReader {
 public:
  static constexpr bool reads = true;

  explicit FieldReader(const FieldTexts& texts) : texts_(texts.begin(), texts.end()) {}

  template <typename T>
  void operator()(const std::string& name, T& value) {
    const std::string* text = take(name);
    if (!text) return;
    if constexpr (std::is_same_v<T, std::string>) {
      value = *text;
    } else if constexpr (std::is_same_v<T, bool>) {
      named(name, [&] { choice<bool>(*text, {{"true", true}, {"false", false}}, value); });
    } else if constexpr (std::is_integral_v<T>) {
      uint64_t wide = 0;
      named(name, [&] { read_text(*text, wide); });
      value = narrowed<T>(name, wide);
    } else {
      named(name, [&] { read_text(*text, value); });
    }
  }
  template <typename E>
  void choice(const std::string& name, E& value, std::initializer_list<Choice<E>> choices) {
    if (const std::string* text = take(name)) named(name, [&] { choice<E>(*text, choices, value); });
  }
  bool has(const std::string& name, bool) const;

  /// Throws invalid_argument if a text was for no field that was visited; `names` are those of the plan's fields.
  void require_all_read(const std::string& names) const;

 private:
  template <typename E>
  static void choice(const std::string& text, std::initializer_list<Choice<E>> choices, E& value) {
    std::string names;
    for (const Choice<E>& one : choices) {
      if (text == one.name) {
        value = one.value;
        return;
      }
      names += (names.empty() ? "" : ", ") + std::string(one.name);
    }
    fail_choice(text, names);
  }
  template <typename T>
  static T narrowed(const std::string& name, uint64_t wide) {
    if (wide > uint64_t(T(~T(0)))) fail_size(name, wide);
    return T(wide);
  }
  [[noreturn]] static void fail_size(const std::string& name, uint64_t value);
  /// The text for a field, which counts as read.
  const std::string* take(const std::string& name);
  /// Calls `read`, and puts the field's name in front of its error.
  template <typename Read>
  static void named(const std::string& name, const Read& read);

  std::map<std::string, std::string> texts_;
  std::set<std::string> visited_;
};

[[noreturn]] void rethrow_named(const std::string& name);

template <typename Read>
void FieldReader::named(const std::string& name, const Read& read) {
  try {
    read();
  } catch (...) {
    rethrow_named(name);
  }
}

}  // namespace weft::algorithms

#include "backends/translate/names.h"

namespace weft::translate {
namespace {

bool is_reserved(const std::string& name) {
  static const std::unordered_set<std::string> reserved{
      // C++, CUDA and HIP
      "alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char",
      "class", "compl", "concept", "const", "consteval", "constexpr", "constinit", "const_cast", "continue", "decltype",
      "default", "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false",
      "float", "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not",
      "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register", "reinterpret_cast",
      "requires", "return", "short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct", "switch",
      "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "union", "unsigned", "using",
      "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "char8_t", "char16_t", "char32_t", "co_await",
      "co_return", "co_yield", "thread_local", "main", "std", "linux", "unix", "warpSize", "threadIdx", "blockIdx",
      "blockDim", "gridDim", "int8_t", "int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
      "size_t", "ptrdiff_t", "INFINITY", "NAN", "NULL", "assert", "errno", "stdin", "stdout", "stderr",
      // names of the emitted code
      "self", "group", "lane", "mask", "exit_to", "shared", "kernel"};
  return reserved.contains(name) || name.starts_with("weft_") || name.starts_with("WEFT_") || name.starts_with("__");
}

}  // namespace

std::string Names::sanitised(const std::string& name, const std::string& otherwise) {
  std::string result;
  for (const char c : name.substr(0, name.find('('))) {  // glslang names functions "f(u1;"
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (fits)
      result += c;
    else if (!result.empty() && result.back() != '_')
      result += '_';
  }
  while (!result.empty() && result.back() == '_') result.pop_back();
  if (result.empty()) return otherwise;
  if (result[0] >= '0' && result[0] <= '9') result.insert(0, "n");
  while (result.starts_with("weft_") && result.size() > 5) result.erase(0, 5);  // reserved for the prelude
  if (is_reserved(result)) result += "_";
  if (is_reserved(result)) result.insert(0, "k_");
  return result;
}

const std::string& Names::of(Id id) {
  const auto found = names_.find(id);
  if (found != names_.end()) return found->second;
  const auto name = module_.names.find(id);
  const std::string fallback = "v" + std::to_string(id);
  const std::string wish = name == module_.names.end() ? fallback : sanitised(name->second, fallback);
  return names_[id] = unique(wish);
}

std::string Names::unique(const std::string& wish) {
  std::string name = wish;
  for (uint32_t& n = tried_[wish]; !taken_.insert(name).second;) name = wish + "_" + std::to_string(++n + 1);
  return name;
}

std::string Names::in_source(Id id) const {
  const auto name = module_.names.find(id);
  if (name == module_.names.end() || name->second.empty()) return "%" + std::to_string(id);
  return name->second.substr(0, name->second.find('('));
}

}  // namespace weft::translate

#include "tools/verbs/shaders/exec_arguments.h"

#include <algorithm>

#include "support/array_file.h"
#include "support/text.h"

namespace weft::tools {

using namespace support;

namespace {

[[noreturn]] void throw_usage(const std::string& option, const std::string& text, const std::string& right) {
  throw Error(ErrorCode::invalid_argument, option + " " + text + ": " + right);
}

// Splits `text` at the first separator, which must be present.
std::pair<std::string, std::string> cut(const std::string& option, const std::string& text, char separator,
                                        const std::string& right) {
  const size_t at = text.find(separator);
  if (at == std::string::npos || at == 0 || at + 1 == text.size()) throw_usage(option, text, right);
  return {text.substr(0, at), text.substr(at + 1)};
}

bool is_name(const std::string& text) {
  const auto word = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), word);
}

Slot parse_slot(const std::string& option, std::string text, const std::string& whole, const std::string& right) {
  Slot slot;
  if (text.ends_with(']')) {
    const size_t bracket = text.find('[');
    if (bracket == std::string::npos) throw_usage(option, whole, right);
    slot.element = parse_u32(text.substr(bracket + 1, text.size() - bracket - 2), option);
    text.resize(bracket);
  }
  const auto [set, binding] = cut(option, text, '.', right);
  slot.set = parse_u32(set, option);
  slot.binding = parse_u32(binding, option);
  return slot;
}

BufferSource parse_source(const std::string& option, const std::string& text) {
  if (text.starts_with("zeros:")) return {BufferSource::Kind::zeros, {}, parse_size(text.substr(6), option + " zeros")};
  if (text.starts_with("ref:")) return {BufferSource::Kind::named, text.substr(4), 0};
  return {BufferSource::Kind::file, text, 0};
}

}  // namespace

std::string to_string(const Slot& slot) {
  return std::to_string(slot.set) + "." + std::to_string(slot.binding) +
         (slot.element ? "[" + std::to_string(slot.element) + "]" : "");
}

BindArgument parse_bind(const std::string& text) {
  const std::string right =
      "write SET.BINDING=FILE, SET.BINDING=zeros:BYTES or SET.BINDING=ref:NAME, e.g. --bind 0.1=in.npy";
  const auto [slot, source] = cut("--bind", text, '=', right);
  return {parse_slot("--bind", slot, text, right), parse_source("--bind", source)};
}

BufferArgument parse_buffer(const std::string& text) {
  const std::string right = "write NAME=FILE or NAME=zeros:BYTES, e.g. --buffer out=zeros:64K";
  const auto [name, source] = cut("--buffer", text, '=', right);
  if (!is_name(name))
    throw_usage("--buffer", text, "a name has letters, digits and underscores, and does not start with a digit");
  const BufferSource parsed = parse_source("--buffer", source);
  if (parsed.kind == BufferSource::Kind::named) throw_usage("--buffer", text, right);
  return {name, parsed};
}

OutArgument parse_out(const std::string& text) {
  const std::string right =
      "write SET.BINDING=FILE or NAME=FILE, with a type before the file where it matters, e.g. --out 0.1=f32:out.npy";
  const auto [buffer, file] = cut("--out", text, '=', right);
  OutArgument argument;
  if (is_name(buffer)) {
    argument.buffer = buffer;
  } else {
    argument.buffer = parse_slot("--out", buffer, text, right);
  }
  const size_t colon = file.find(':');
  argument.type = colon == std::string::npos ? std::nullopt : find_scalar_type(file.substr(0, colon));
  argument.path = argument.type ? file.substr(colon + 1) : file;
  if (argument.path.empty()) throw_usage("--out", text, right);
  if (const std::string wrong = refuse_archive(argument.path); !wrong.empty()) throw_usage("--out", text, wrong);
  return argument;
}

SpecArgument parse_spec(const std::string& text) {
  const std::string right = "write ID=TYPE:VALUE, e.g. --spec 0=u32:256 or --spec 1=bool:true";
  const auto [id, typed] = cut("--spec", text, '=', right);
  const auto [type, value] = cut("--spec", typed, ':', right);
  const uint32_t number = parse_u32(id, "--spec");
  if (type == "bool") {
    if (value == "true" || value == "1") return {number, std::nullopt, 1};
    if (value == "false" || value == "0") return {number, std::nullopt, 0};
    throw_usage("--spec", text, "a bool is true or false");
  }
  const ScalarType scalar = parse_scalar_type(type);
  return {number, scalar, parse_value(scalar, value, "--spec")};
}

std::pair<std::string, std::string> parse_define(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string name = text.substr(0, equals);
  if (!is_name(name)) throw_usage("--define", text, "write NAME=VALUE or NAME");
  return {name, equals == std::string::npos ? "" : text.substr(equals + 1)};
}

std::array<uint32_t, 3> parse_extent(const std::string& text, const std::string& option) {
  const auto parts = split(text, ',');
  if (parts.size() > 3) throw_usage(option, text, "there are at most three dimensions: X, X,Y or X,Y,Z");
  std::array<uint32_t, 3> extent{1, 1, 1};
  for (size_t i = 0; i < parts.size(); ++i) {
    const uint64_t value = parse_size(parts[i], option);
    if (value > UINT32_MAX) throw_usage(option, text, "a dimension is at most 4294967295");
    extent[i] = uint32_t(value);
  }
  return extent;
}

PushArgument parse_push(const std::string& text) {
  const std::string first = text.substr(0, text.find(':'));
  if (first == text || (first != "ref" && !find_scalar_type(first))) return text;
  std::vector<PushValue> values;
  std::optional<ScalarType> type;
  for (const std::string& part : split(text, ',')) {
    const size_t colon = part.find(':');
    if (colon != std::string::npos) {
      const std::string name = part.substr(0, colon);
      type = name == "ref" ? std::nullopt : std::optional(parse_scalar_type(name));
    }
    values.push_back({type, part.substr(colon == std::string::npos ? 0 : colon + 1)});
    if (values.back().text.empty()) throw_usage("--push", text, "a value is missing after '" + part + "'");
  }
  return values;
}

}  // namespace weft::tools

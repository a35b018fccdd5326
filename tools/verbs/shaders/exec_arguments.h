#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <weft/kernel.h>

#include "support/scalar_type.h"

namespace weft::tools {

// The grammar of weft exec's arguments. Each parser throws invalid_argument with the form that the option takes.

/// The initial contents of a buffer: a file, zeros, or a buffer named by another option.
struct BufferSource {
  enum class Kind { file, zeros, named };
  Kind kind = Kind::file;
  std::string name;    ///< Name of the file or buffer.
  uint64_t bytes = 0;  ///< Size, for zeros.
};

/// A shader's buffer binding: layout(set, binding), and an index if it is an array.
struct Slot {
  uint32_t set = 0, binding = 0, element = 0;
  auto operator<=>(const Slot&) const = default;
};
std::string to_string(const Slot& slot);

struct BindArgument {
  Slot slot;
  BufferSource source;
};
BindArgument parse_bind(const std::string& text);  ///< 0.1=in.npy, 0.1=zeros:64K, 0.1=ref:NAME, 0.1[2]=...

struct BufferArgument {
  std::string name;
  BufferSource source;
};
BufferArgument parse_buffer(const std::string& text);  ///< NAME=in.npy, NAME=zeros:64K

struct OutArgument {
  std::variant<Slot, std::string> buffer;
  std::optional<support::ScalarType> type;  ///< If given, e.g. 0.1=f32:out.npy.
  std::string path;                         ///< "-" prints the values.
};
OutArgument parse_out(const std::string& text);  ///< 0.1=out.npy, NAME=f32:out.npy

struct SpecArgument {
  uint32_t id = 0;
  std::optional<support::ScalarType> type;  ///< Empty for a bool.
  uint64_t bits = 0;
};
SpecArgument parse_spec(const std::string& text);  ///< 3=u32:256, 4=bool:true

std::pair<std::string, std::string> parse_define(const std::string& text);  ///< NAME=VALUE, NAME

/// Parses X, X,Y or X,Y,Z; missing dimensions are 1.
std::array<uint32_t, 3> parse_extent(const std::string& text, const std::string& option);

/// One value of a push-constant block.
struct PushValue {
  std::optional<support::ScalarType> type;  ///< Empty: the address of the buffer named `text`.
  std::string text;
};
/// A file name, or values: u32:100,f32:0.5,ref:NAME. A value without a type takes the type of the one before it.
using PushArgument = std::variant<std::string, std::vector<PushValue>>;
PushArgument parse_push(const std::string& text);

/// Lays values out as the shader's push-constant block. They fill its members in order, each at its own offset.
/// `address` returns the address of a named buffer. Throws invalid_argument if a value does not fit its member.
std::vector<std::byte> pack_push(const std::vector<PushValue>& values, const Reflection& reflection,
                                 const std::function<uint64_t(const std::string&)>& address);
/// Returns an argument of --push for the shader's block, with member names as values: "u32:count,ref:source".
std::string push_example(const Reflection& reflection);

}  // namespace weft::tools

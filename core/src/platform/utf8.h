#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft::core {

// Text is UTF-8 on every system: options, messages, and the names in both. The paths of Windows are wide, and its
// narrow ones depend on the machine's code page, so a path becomes text and back only here.

inline std::string utf8_text(const std::filesystem::path& path) {
  const std::u8string text = path.u8string();
  return {text.begin(), text.end()};
}

inline std::filesystem::path utf8_path(std::string_view text) { return std::u8string(text.begin(), text.end()); }

}  // namespace weft::core

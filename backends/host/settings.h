#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weft::host {

/// What a selector such as "host:subgroup=64,threads=2,schedule=7,check=on" sets.
struct Settings {
  uint32_t subgroup_size = 32;
  uint32_t threads = 0;  ///< 0: as many as the machine has cores.
  /// Seed of an adversarial schedule; without one invocations advance in the order of their numbers.
  std::optional<uint64_t> schedule;
  bool check = false;
  uint32_t compile_seconds = 600;  ///< A compiler that takes longer is ended.

  /// The selector that gives these settings again: "host" when all are the defaults.
  std::string selector() const;
};

/// The settings there are, in words.
extern const char* const settings_text;

/// Reads "NAME=VALUE,NAME=VALUE". Throws invalid_argument naming what is wrong and what there is.
Settings parse_settings(const std::string& text);

}  // namespace weft::host

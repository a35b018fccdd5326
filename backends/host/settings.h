#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace weft::host {

/// The settings of a selector such as "host:subgroup=64,threads=2,schedule=7,check=on".
struct Settings {
  /// The flow of control of kernels: an invocation, or a subgroup as vectors. Schedules and checks need the former.
  enum class Form { fibers, lanes } form = Form::lanes;
  /// 16 lanes were quickest with SSE2, AVX2 and AVX-512 alike (docs/performance-cpu.md).
  static constexpr uint32_t default_subgroup_size(Form form) { return form == Form::lanes ? 16 : 32; }
  uint32_t subgroup_size = default_subgroup_size(Form::lanes);
  uint32_t threads = 0;  ///< 0: the number of cores.
  /// Seed of an adversarial schedule. Without one, invocations advance in index order.
  std::optional<uint64_t> schedule;
  bool check = false;
  uint32_t compile_seconds = 600;  ///< Time limit of the compiler for one kernel.
  /// The instruction set of kernels in lanes: "x86-64-v3". Empty: with this processor's vector instructions.
  std::string architecture;

  bool runs_lanes() const { return form == Form::lanes; }

  /// The selector for these settings, which parse_settings() reads as the same: "host" if all are the defaults.
  std::string selector() const;
};

/// Describes all settings, in words.
extern const char* const settings_text;

/// Parses "NAME=VALUE,NAME=VALUE". Throws invalid_argument, naming the wrong setting and listing all settings, also
/// for form=lanes with a schedule or checks.
Settings parse_settings(const std::string& text);

}  // namespace weft::host

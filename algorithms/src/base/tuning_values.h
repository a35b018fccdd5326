#pragma once

#include <bit>
#include <cstdint>

namespace weft::algorithms {

// Groups of values that primitives are tuned by. A primitive's own struct is made of them: a member `tile`, whatever
// else its kernels have to choose, and each(), which names every value for tuning files. The defaults of members are
// those of entries that leave values out; they are the same on every device and never change.

/// Numbers that a value may have.
struct ValueRange {
  uint32_t least, most;
  const char* only = nullptr;  ///< In words, for messages: "a power of two".
  bool (*holds)(uint32_t) = nullptr;

  bool contains(uint32_t value) const { return value >= least && value <= most && (!holds || holds(value)); }
};
constexpr ValueRange powers_of_two(uint32_t least, uint32_t most) {
  return {least, most, "a power of two", [](uint32_t value) { return std::has_single_bit(value); }};
}
constexpr ValueRange no_or_yes{0, 1};
constexpr ValueRange tile_bytes{0, 1024};
/// Of KernelOptions::workgroups_per_multiprocessor, which tuning files call resident_workgroups.
constexpr ValueRange residency{0, 32};

/// Of a tile that one invocation runs over: see make_serial_tiling(). 0: tiles have many invocations.
constexpr ValueRange serial_tile_bytes{0, 1 << 20};

/// The shape of a tile: see make_tiling().
struct TileTuning {
  /// Invocations; a Tiling has fewer where the device allows fewer. 256 keep a GPU's schedulers busy with a few
  /// workgroups on each core, and every driver seen takes them.
  uint32_t workgroup = 256;
  uint32_t bytes_per_invocation = 0;  ///< Of elements in registers, roughly; at least a word.

  static void each(auto& values, const auto& visit) {
    visit("workgroup", values.workgroup, powers_of_two(64, 1024));
    visit("bytes_per_invocation", values.bytes_per_invocation, tile_bytes);
  }
};

/// A kernel that looks back.
struct LookBackTuning {
  uint32_t workgroups_per_multiprocessor = 0;  ///< KernelOptions::workgroups_per_multiprocessor.
  uint32_t pause = 0;                          ///< WEFT_LOOK_BACK_PAUSE of shaders/device/look_back.glsl.

  static void each(auto& values, const auto& visit) {
    visit("resident_workgroups", values.workgroups_per_multiprocessor, residency);
    visit("look_back_pause", values.pause, ValueRange{0, 100'000});
  }
};

/// Workgroups that count in copies in workgroup memory: shaders/workgroup/histogram.glsl.
struct CountingTuning {
  uint32_t shared_bytes = 0;   ///< Of all copies together, unless one alone needs more.
  uint32_t shared_copies = 1;  ///< The most copies (WEFT_COPIES), a power of two.
  uint32_t groups = 1;         ///< Persistent workgroups, if the device cannot say how many are resident at once.

  /// Copies of `copy_bytes` each that fit into shared_bytes and into `room`, beside `beside_bytes`; at least one.
  uint32_t copies(uint64_t copy_bytes, uint64_t room, uint64_t beside_bytes = 0) const;

  static void each(auto& values, const auto& visit) {
    visit("shared_bytes", values.shared_bytes, ValueRange{0, 1 << 20});
    visit("shared_copies", values.shared_copies, ValueRange{1, 128});
    visit("groups", values.groups, ValueRange{1, 65535});
  }
};

/// Primitives that only choose their tiles.
struct PlainTuning {
  TileTuning tile{};

  static void each(auto& values, const auto& visit) { TileTuning::each(values.tile, visit); }
};

/// Primitives that look back and gather what they write row by row: see make_row_staged_tiling().
struct StagedTuning {
  TileTuning tile{};
  LookBackTuning look_back{};
  uint32_t staged_bytes = 64;  ///< Of an invocation's elements that are in workgroup memory at once.
  uint32_t serial_bytes = 0;

  static void each(auto& values, const auto& visit) {
    TileTuning::each(values.tile, visit);
    LookBackTuning::each(values.look_back, visit);
    visit("staged_bytes", values.staged_bytes, tile_bytes);
    visit("serial_bytes", values.serial_bytes, serial_tile_bytes);
  }
};

}  // namespace weft::algorithms

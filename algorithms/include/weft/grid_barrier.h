#pragma once

#include <cstdint>

#include <weft/api.h>
#include <weft/device.h>
#include <weft/kernel.h>
#include <weft/stream.h>

namespace weft {

/// The host's side of weft/device/grid_barrier.glsl, a barrier for all workgroups of a dispatch: the size of a barrier,
/// its initial state, and the check that a dispatch can pass it.
///
/// The barrier is your own memory, whose address a kernel takes as a WeftGridBarrier. A value: copyable, thread-safe.
class WEFT_API GridBarrier {
 public:
  /// Bytes of a barrier, which starts at a multiple of 4.
  static constexpr uint64_t bytes() { return 128; }

  /// Throws unsupported, with the reason, if workgroups of the device cannot wait for one another.
  explicit GridBarrier(const Device& device);

  /// Records the initial state. A barrier needs it once, and again after a dispatch that did not end properly: passing
  /// the barrier leaves it ready for the next pass, in the same dispatch or another. Throws invalid_argument if the
  /// memory is too small or misaligned.
  void record_clear(Recorder& recorder, const Region& memory) const;

  /// Throws unsupported unless `groups` workgroups of the kernel run at once. One always does. Where
  /// Kernel::resident_workgroups() cannot say, any larger number throws; weft/device/grid_discover.glsl finds
  /// workgroups that do.
  ///
  /// Other work on the device takes room from a dispatch. While a barrier is in use, run nothing beside it that waits
  /// for it.
  void require_resident(const Kernel& kernel, uint32_t groups) const;
};

/// The host's side of weft/device/grid_discover.glsl, which finds workgroups that run at once.
class WEFT_API GridDiscovery {
 public:
  /// Bytes of its memory, which starts at a multiple of 4.
  static constexpr uint64_t bytes() { return 256; }

  /// Throws unsupported, with the reason, if workgroups of the device cannot wait for one another.
  explicit GridDiscovery(const Device& device);

  /// Records the initial state, which each dispatch needs. Throws invalid_argument if the memory is too small or
  /// misaligned.
  void record_clear(Recorder& recorder, const Region& memory) const;
};

}  // namespace weft

#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include <weft/api.h>

namespace weft {

/// Kernels compiled ahead of time: SPIR-V with all that Weft needs to know of it, and machine code where that was asked
/// for. A device that is given packs (DeviceOptions::packs) looks for a kernel there first, then in its cache; only
/// then does it compile. `weft pack` makes packs; docs/shipping.md leads from a program's plans to a pack.
///
/// A pack is for one version of Weft: it is opened only by a library with the shaders, primitives and translator that
/// it was made with.
///
/// Weft runs what a pack holds, so a pack is trusted as a program's own code is. Damage is detected when a pack is
/// opened; a forgery cannot be.
///
/// A handle: copies share the bytes. Immutable, thread-safe.
class WEFT_API Pack {
 public:
  /// Reads a file of up to 4 GiB. The pack keeps its contents, so the file may be replaced or removed.
  ///
  /// Throws io_failed if it cannot be read, or if other users can change it (docs/files.md); invalid_argument, saying
  /// what was expected, if it is no pack, damaged, or made by another version of Weft.
  static Pack open(const std::filesystem::path& file);
  /// A pack in memory, such as one linked into the program, under a name for messages. The bytes are not copied: they
  /// must stay, unchanged, as long as any copy of the pack and any device that was given one. They need no alignment.
  /// Throws invalid_argument as open() does.
  static Pack in_memory(std::span<const std::byte> bytes, std::string name);

  /// The path or name that it was given.
  const std::string& name() const;
  /// What it holds, for people: the devices that it serves, the plans and kernels, and the bytes of each kernel's
  /// variants before compression.
  std::string description() const;

  struct Contents;
  const Contents& contents() const { return *contents_; }

 private:
  explicit Pack(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  std::shared_ptr<const Contents> contents_;
};

}  // namespace weft

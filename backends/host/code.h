#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "backends/host/temporary_folder.h"
#include "backends/translate/prelude/host_abi.h"
#include "core/src/platform/library.h"

namespace weft::host {

/// The machine code of a translated kernel, loaded into the process.
class Code {
 public:
  using Entry = void (*)(weft_host_invocation*);

  /// Loads a shared object. Throws unsupported if the system refuses it.
  Code(std::span<const std::byte> shared_object, std::string name);
  Code(const Code&) = delete;

  Entry entry() const { return entry_; }
  const std::string& name() const { return name_; }
  /// Number of invocations that a call of the entry runs: one, or those of a subgroup.
  uint32_t invocations_per_call() const { return lanes_ != 0 ? lanes_ : 1; }
  bool runs_subgroups() const { return lanes_ != 0; }
  uint64_t workgroup_memory_bytes() const { return workgroup_memory_bytes_; }
  /// A location in the kernel, for messages: "OpControlBarrier at scan.comp:12".
  std::string site(uint32_t index) const;

 private:
  TemporaryFolder folder_;  ///< Of its file, which some systems keep while the library is loaded.
  core::DynamicLibrary library_;
  std::string name_;
  Entry entry_ = nullptr;
  const weft_host_site* sites_ = nullptr;
  uint32_t site_count_ = 0, lanes_ = 0;
  uint64_t workgroup_memory_bytes_ = 0;
};

}  // namespace weft::host

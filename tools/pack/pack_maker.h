#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <weft/device_options.h>

#include "tools/pack/plan_list.h"
#include "tools/pack/profiles.h"

namespace weft::tools {

struct PackRequest {
  std::vector<Profile> profiles;     ///< Described devices: SPIR-V, and machine code for those with an architecture.
  std::vector<std::string> devices;  ///< Devices of this machine, by selector: SPIR-V, and machine code where the
                                     ///< backend has it.
  DeviceOptions options;             ///< Its tuning chooses kernels and goes into the pack, its cache saves work.
};

struct MadePack {
  std::vector<std::byte> bytes;
  std::string description;
  std::vector<std::string> skipped;  ///< Plans that a device cannot run, and tuning of other devices, with the reason.
};

/// Throws unsupported in a build without compilers.
void require_pack_maker();

/// Makes all that plans need, for counts up to their max_count: kernels differ by count.
MadePack make_pack(const PlanList& list, const PackRequest& request);

}  // namespace weft::tools

#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <weft/spirv.h>

namespace weft::core {

/// What Weft wants to know of a module's code, beside the declarations that SPIRV-Cross reflects.
struct ModuleScan {
  /// Variables of the module's scope that the code of the entry point names, functions it calls included.
  std::unordered_set<uint32_t> used_variables;
  /// For each type of pointers into buffers: the largest alignment that a load or store through one promises.
  std::unordered_map<uint32_t, uint32_t> pointer_align;
  /// A subgroup operation stands in a selection or loop, or in a function called from one.
  bool divergent_subgroup_operations = false;
};

/// Reads a valid module; of one without the compute entry point `entry`, everything is empty.
ModuleScan scan_module(const Spirv& module, const std::string& entry);

/// The words of a module less the execution mode of SPV_KHR_maximal_reconvergence: the SPIRV-Tools of Debian 12 predate
/// it, and refuse what they do not know.
std::vector<uint32_t> without_maximal_reconvergence(const std::vector<uint32_t>& words);

}  // namespace weft::core

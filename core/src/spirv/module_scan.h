#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <weft/spirv.h>

namespace weft::core {

/// Facts about a module's code, which SPIRV-Cross does not reflect.
struct ModuleScan {
  /// Module-scope variables that the entry point and the functions it calls use.
  std::unordered_set<uint32_t> used_variables;
  /// The largest alignment that a load or store promises, for each type of pointer into buffers.
  std::unordered_map<uint32_t, uint32_t> pointer_align;
  /// Whether a subgroup operation is inside a selection or loop, or in a function called from one.
  bool divergent_subgroup_operations = false;
};

/// Scans a valid module. The result is empty if it has no compute entry point `entry`.
ModuleScan scan_module(const Spirv& module, const std::string& entry);

}  // namespace weft::core

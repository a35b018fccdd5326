#include "backends/translate/module_emitter.h"
#include "backends/translate/prelude_files.h"

// The output, in order: a heading, the prelude, types, functions, sites, the entry point.
namespace weft::translate {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' || c == '\r' ? ' ' : c;
  }
  return result + "\"";
}

std::string prelude(std::string_view name) {
  for (const core::EmbeddedFile& file : prelude_files()) {
    if (file.name != name) continue;
    std::string text(file.text);
    if (const size_t at = text.find("#pragma once\n"); at != std::string::npos) text.erase(at, 13);
    return text + "\n";
  }
  return {};
}

}  // namespace

std::string ModuleEmitter::assemble(Id entry, const Translation& result) {
  const std::string entry_name = names.of(entry);
  const bool is_host = this->is_host(), of_lanes = target == Target::lanes;
  const char* const targets[] = {"host", "cuda", "hip", "host"};
  const std::string target_name = targets[static_cast<int>(target)];
  std::string text = "// " + names.in_source(entry) + " of " + module.name + ", translated by Weft from SPIR-V for " +
                     target_name + ".\n";
  // GCC's pass over the ranges of values takes most of the time to compile deep nests of loops: 10 of 12 s for 24 loops
  // in one another. Without it, scans take 1.5 times as long to run.
  constexpr uint32_t few_loops = 7;
  if (of_lanes && nested_loops_ > few_loops) {
    text += "#ifdef __OPTIMIZE__\n#pragma GCC optimize(\"no-tree-vrp\")\n#endif\n";
  }
  const auto define = [&](const char* name, uint64_t value) {
    text += std::string("#define ") + name + " " + std::to_string(value) + "\n";
  };
  define("WEFT_WORKGROUP_SIZE_X", result.workgroup_size[0]);
  define("WEFT_WORKGROUP_SIZE_Y", result.workgroup_size[1]);
  define("WEFT_WORKGROUP_SIZE_Z", result.workgroup_size[2]);
  define("WEFT_WORKGROUP_MEMORY_BYTES", result.workgroup_memory_bytes);
  define("WEFT_DYNAMIC_WORKGROUP_MEMORY_BYTES", result.dynamic_workgroup_memory_bytes);
  define("WEFT_ZEROED_WORKGROUP_MEMORY", zeroed_workgroup_);
  define("WEFT_PUSH_CONSTANT_BYTES", result.push_constant_bytes);
  define("WEFT_BINDING_COUNT", result.binding_count);
  if (of_lanes) {
    const std::array<uint32_t, 3>& size = result.workgroup_size;
    const bool are_full = uint64_t{size[0]} * size[1] * size[2] % lanes() == 0;
    define("WEFT_LANES", lanes());
    define("WEFT_IN_VECTORS", in_vectors());
    define("WEFT_ALL_LANES", in_step_ || (!parts_lanes && are_full));
  }
  if (!is_host) define("WEFT_RESIDENT_WORKGROUPS", options.workgroups_per_multiprocessor);
  text += "\n";
  if (is_host) text += prelude("host_abi.h");
  text += prelude(target_name + "_base.h");
  for (const char* part : {"values.h", "integers.h"}) text += prelude(part);
  if (is_host) text += prelude("host_math.h");
  for (const char* part : {"floats.h", "geometry.h", "packing.h", "ballots.h"}) text += prelude(part);
  text += prelude(!is_host ? "device.h" : of_lanes ? "host_lanes.h" : "host_fibers.h");
  text += prelude(target_name + ".h") + prelude("lanes.h");
  if (in_vectors()) {
    for (const char* part : {"host_wide.h", "host_wide_functions.h", "host_wide_memory.h"}) text += prelude(part);
  } else {
    text += prelude(!is_host ? "warps.h" : of_lanes ? "host_lane_operations.h" : "host_subgroups.h");
  }
  text += "\nnamespace kernel {\n\n";
  if (in_vectors()) text += "typedef weft_wide_bool weft_mask;\n\n";
  text += types.declarations() + self_declaration() + memory_functions_;
  if (of_lanes && acts(entry) && !has_lanes_alone_) {
    // Called once. Where it is inlined, what `group` holds stays in registers.
    text += "WEFT_ALWAYS_INLINE WEFT_FN void " + entry_name + "(weft_self& group, weft_mask mask);\n\n";
  }
  text += functions_;
  std::string call = "kernel::" + entry_name + (acts(entry) ? "(self, weft_all_lanes(self))" : "(self)");
  if (of_lanes) {
    const std::string start = names.unique("start");
    const std::string all = in_vectors() ? "weft_to_bools(weft_all_lanes(group))" : "weft_all_lanes(group)";
    text +=
        "WEFT_ALWAYS_INLINE WEFT_FN void " + start + "(weft_self& group) {\n  const weft_mask mask = " + all + ";\n";
    if (!private_starts_.empty()) text += "  WEFT_EACH_LANE {\n" + private_starts_ + "  }\n";
    const std::string together = entry_name + "(group, mask)", alone = entry_name + "(self)";
    if (has_lanes_alone_) {
      text += "  if (weft_is_full(group)) {\n    " +
              (may_disagree() ? "if (" + together + ") return" : together + ";\n    return") +
              ";\n  }\n  WEFT_EACH_EXISTING_LANE " + alone + ";\n}\n\n";
    } else {
      text += "  " + (acts(entry) ? together : "WEFT_EACH_LANE " + alone) + ";\n}\n\n";
    }
    call = "kernel::" + start + "(self)";
  } else if (!private_starts_.empty()) {
    const std::string start = names.unique("start");
    text += "WEFT_FN void " + start + "(weft_self& self) {\n" + private_starts_ + "  " + call + ";\n}\n\n";
    call = "kernel::" + start + "(self)";
  }
  text += "}  // namespace kernel\n\n#define WEFT_CALL_KERNEL(self) " + call + "\n";
  if (is_host) text += site_table();
  return text + prelude(is_host ? "host_entry.h" : "device_entry.h");
}

// An invocation's own variables, or with a subgroup as one flow of control those of each lane.
std::string ModuleEmitter::self_declaration() const {
  if (target != Target::lanes) {
    return "struct weft_self : weft_context {\n  using weft_context::weft_context;\n" + private_members_ + "};\n\n";
  }
  return "struct weft_privates {\n" + private_members_ + "};\ntypedef weft_lane_context<weft_privates> weft_self;\n\n";
}

std::string ModuleEmitter::site_table() const {
  std::string text = "extern \"C\" const weft_host_site weft_sites[] = {";
  for (const Site& site : sites_) {
    text += "\n    {" + quoted(site.what) + ", " + (site.file.empty() ? "nullptr" : quoted(site.file)) + ", " +
            std::to_string(site.line) + "},";
  }
  return text + "\n    {nullptr, nullptr, 0}};\nextern \"C\" const uint32_t weft_site_count = " +
         std::to_string(sites_.size()) + ";\n\n";
}

}  // namespace weft::translate

#pragma once

#include <bit>
#include <string>

#include "tests/translate/corpus.h"

/// Shared by the tests of subgroup operations.
namespace weft::test {

inline const std::string subgroup_extensions =
    "#extension GL_KHR_shader_subgroup_basic : require\n#extension GL_KHR_shader_subgroup_vote : require\n#extension "
    "GL_KHR_shader_subgroup_ballot : require\n"
    "#extension GL_KHR_shader_subgroup_shuffle : require\n#extension GL_KHR_shader_subgroup_shuffle_relative : "
    "require\n#extension GL_KHR_shader_subgroup_arithmetic : require\n"
    "#extension GL_KHR_shader_subgroup_clustered : require\n#extension GL_KHR_shader_subgroup_quad : require\n";

/// Makes a kernel that depends on the subgroup size, with workgroups of 96 invocations, so that the last subgroup is
/// partial at some sizes.
inline KernelCase of_lanes(KernelCase one, Reference reference) {
  one.depends_on_subgroups = true;
  return one.of(96, 2).judged_by(std::move(reference));
}

/// The same for SPIR-V text, with capabilities in addition to GroupNonUniform.
inline KernelCase in_text(const std::string& name, const std::string& text, Reference reference) {
  return of_lanes(assembly(name, "OpCapability GroupNonUniform\n" + text).version(5), std::move(reference));
}

inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }

}  // namespace weft::test

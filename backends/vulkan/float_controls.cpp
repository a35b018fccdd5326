#include "backends/vulkan/float_controls.h"

#include <algorithm>
#include <array>
#include <spirv/unified1/spirv.hpp11>

namespace weft::vulkan {

namespace {

struct Control {
  spv::ExecutionMode mode;
  spv::Capability capability;
  const char* name;
  std::array<VkBool32 FloatControls::*, 3> of_width;  ///< 16, 32 and 64 bits.
};

#define WEFT_CONTROL(name)                                                          \
  {                                                                                 \
    spv::ExecutionMode::name, spv::Capability::name, #name, {                       \
      &FloatControls::shader##name##Float16, &FloatControls::shader##name##Float32, \
          &FloatControls::shader##name##Float64                                     \
    }                                                                               \
  }
constexpr Control controls[] = {WEFT_CONTROL(DenormPreserve), WEFT_CONTROL(DenormFlushToZero),
                                WEFT_CONTROL(SignedZeroInfNanPreserve), WEFT_CONTROL(RoundingModeRTE),
                                WEFT_CONTROL(RoundingModeRTZ)};

constexpr size_t index_of(uint32_t width) { return width == 16 ? 0 : width == 32 ? 1 : 2; }

/// Whether the widths with one of the two modes have the same one, as far as they depend on one another.
bool agree(std::span<const FloatMode> modes, spv::ExecutionMode one, spv::ExecutionMode two,
           VkShaderFloatControlsIndependence independence) {
  std::array<uint32_t, 3> chosen{};
  for (const FloatMode& m : modes) {
    if (m.mode == uint32_t(one) || m.mode == uint32_t(two)) chosen[index_of(m.width)] = m.mode;
  }
  const auto same = [&](size_t a, size_t b) { return !chosen[a] || !chosen[b] || chosen[a] == chosen[b]; };
  if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL) return true;
  const bool others_alike = same(0, 2);
  if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY) return others_alike;
  return others_alike && same(0, 1) && same(1, 2);
}

}  // namespace

std::set<uint32_t> capabilities(const FloatControls& device) {
  std::set<uint32_t> capabilities;
  for (const Control& control : controls) {
    const bool any = std::ranges::any_of(control.of_width, [&](auto supported) { return device.*supported; });
    if (any) capabilities.insert(uint32_t(control.capability));
  }
  return capabilities;
}

std::vector<std::string> missing(std::span<const FloatMode> modes, const FloatControls& device) {
  std::vector<std::string> lacks;
  for (const FloatMode& m : modes) {
    const auto control = std::ranges::find(controls, spv::ExecutionMode(m.mode), &Control::mode);
    if (control == std::end(controls) || device.*control->of_width[index_of(m.width)]) continue;
    lacks.push_back(std::string(control->name) + " for floats of " + std::to_string(m.width) + " bits");
  }
  using Mode = spv::ExecutionMode;
  if (!agree(modes, Mode::DenormPreserve, Mode::DenormFlushToZero, device.denormBehaviorIndependence)) {
    lacks.push_back("different handling of denormals for floats of different widths");
  }
  if (!agree(modes, Mode::RoundingModeRTE, Mode::RoundingModeRTZ, device.roundingModeIndependence)) {
    lacks.push_back("different rounding for floats of different widths");
  }
  return lacks;
}

}  // namespace weft::vulkan

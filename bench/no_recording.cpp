// In place of recording.cpp in a build without Vulkan.
#include "bench/recording.h"

namespace weft::bench {

std::optional<RecordCosts> measure_recording(const Device&, const MeasureOptions&) { return std::nullopt; }

}  // namespace weft::bench

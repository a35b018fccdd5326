#include "algorithms/src/checks.h"

#include <weft/error.h>
#include <algorithm>

#include "core/src/backend.h"

namespace weft::algorithms {

ArgumentChecks::ArgumentChecks(const char* primitive, const Device& plan_device, const Recorder& recorder)
    : primitive_(primitive), device_(plan_device) {
  const Device given = recorder.device();
  if (&given.impl() != &plan_device.impl()) {
    fail("the plan is of " + plan_device.info().selector + " (" + plan_device.info().name +
         ") and the stream of another opening of " + given.info().selector + " (" + given.info().name +
         "). Make the plan for the stream's device.");
  }
  if (recorder.in_independent()) {
    fail(
        "the dispatches of a plan wait for one another, which commands within Recorder::independent() do not. Record "
        "the plan before that scope or behind it.");
  }
}

void ArgumentChecks::fail(const std::string& message) const {
  throw Error(ErrorCode::invalid_argument, std::string(primitive_) + ": " + message);
}

void ArgumentChecks::of_this_device(const char* name, const Region& region) const {
  if (region.buffer != nullptr && &region.buffer->device() != &device_.impl()) {
    fail(std::string("'") + name + "' is memory of another device than the plan's.");
  }
}

void ArgumentChecks::aligned(const char* name, const Region& region, uint32_t align) const {
  if (region.address() % align != 0) {
    fail(std::string("'") + name + "' starts at byte " + std::to_string(region.offset) +
         " of its buffer; it has to start at a multiple of " + std::to_string(align) + " bytes.");
  }
}

void ArgumentChecks::region(const char* name, const Region& region, uint64_t bytes, uint32_t align) const {
  of_this_device(name, region);
  if (region.bytes < bytes) {
    fail(std::string("'") + name + "' has " + std::to_string(region.bytes) + " bytes and needs at least " +
         std::to_string(bytes) + ".");
  }
  aligned(name, region, align);
}

void ArgumentChecks::empty(const char* name, const Region& region, const std::string& reason) const {
  if (region.bytes != 0) fail(std::string("'") + name + "' was given, and " + reason + "; leave it empty.");
}

Region ArgumentChecks::temporary(const Region& region, uint64_t bytes) const {
  this->region("temporary", region, bytes, 1);
  if (bytes == 0) return region;
  return region.part((temporary_slack - region.address() % temporary_slack) % temporary_slack, bytes - temporary_slack);
}

ResolvedCount ArgumentChecks::count(const Count& count, uint64_t max_count,
                                    std::initializer_list<Holder> holders) const {
  ResolvedCount resolved{count.value(), 0};
  if (count.is_on_device()) {
    const Region location = count.view().region();
    region("count", location, 8, 8);
    resolved = {max_count, location.address()};
    for (const Holder& holder : holders) resolved.most = std::min(resolved.most, holder.region.bytes / holder.bytes);
  } else if (count.value() > max_count) {
    fail("'count' is " + std::to_string(count.value()) + ", and the plan was made for at most " +
         std::to_string(max_count) + " elements.");
  }
  for (const Holder& holder : holders) {
    of_this_device(holder.name, holder.region);
    const uint64_t holds = holder.region.bytes / holder.bytes;
    if (holds < resolved.most) {
      fail(std::string("'") + holder.name + "' has room for " + std::to_string(holds) + " elements of " +
           std::to_string(holder.bytes) + " bytes, and the count is " + std::to_string(resolved.most) + ".");
    }
    if (resolved.most > 0) aligned(holder.name, holder.region, holder.align);
  }
  return resolved;
}

ResolvedCount ArgumentChecks::segments(const char* name, const Region& offsets, uint32_t offset_bytes,
                                       const Count& segments, uint64_t max_segments) const {
  region(name, offsets, offset_bytes, offset_bytes);
  const Region behind_first = offsets.part(offset_bytes, offsets.bytes - offset_bytes);
  return count(segments, max_segments, {{name, behind_first, offset_bytes, offset_bytes}});
}

void ArgumentChecks::apart_from_count(const Count& count, const char* name, const Region& output) const {
  if (count.is_on_device()) apart("count", count.view().region(), sizeof(uint64_t), name, output, output.bytes);
}

void ArgumentChecks::apart(const char* first_name, const Region& first, const char* second_name, const Region& second,
                           uint64_t bytes) const {
  apart(first_name, first, bytes, second_name, second, bytes);
}

void ArgumentChecks::apart(const char* first_name, const Region& first, uint64_t first_bytes, const char* second_name,
                           const Region& second, uint64_t second_bytes) const {
  const bool overlap = first.buffer == second.buffer && first_bytes > 0 && second_bytes > 0 &&
                       first.offset < second.offset + second_bytes && second.offset < first.offset + first_bytes;
  if (overlap) {
    fail(std::string("'") + first_name + "' and '" + second_name +
         "' overlap in the same buffer; give them memory of their own.");
  }
}

bool has_int64_atomics(const DeviceInfo& device) {
  return device.features.int64 && device.features.buffer_int64_atomics;
}

void check_int64_atomics(const char* primitive, const DeviceInfo& device, uint64_t max_count) {
  if (max_count <= UINT32_MAX || has_int64_atomics(device)) return;
  throw Error(ErrorCode::unsupported, std::string(primitive) + " of up to " + std::to_string(max_count) +
                                          " elements needs 64-bit atomics on buffers, which " + device.selector + " (" +
                                          device.name + ") lacks. Up to 4294967295 elements work.");
}

void check_addressable(const char* primitive, const Element& element, uint64_t max_count) {
  constexpr uint64_t most_bytes = uint64_t{1} << 40;  // 2^32 blocks of 256 bytes: shaders/thread/memory.glsl
  if (max_count > most_bytes / element.bytes()) {
    throw Error(ErrorCode::invalid_argument,
                std::string(primitive) + ": a plan for " + std::to_string(max_count) + " elements of " +
                    std::to_string(element.bytes()) +
                    " bytes is beyond the 1 TiB that its kernels can address; make it for at most " +
                    std::to_string(most_bytes / element.bytes()) + ".");
  }
}

}  // namespace weft::algorithms

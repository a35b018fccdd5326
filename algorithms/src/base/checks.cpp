#include "algorithms/src/base/checks.h"

#include <algorithm>

#include <weft/error.h>

#include "core/src/runtime/argument_checks.h"
#include "core/src/runtime/backend.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {

ArgumentChecks::ArgumentChecks(const char* primitive, const Device& plan_device, const Recorder& recorder)
    : primitive_(primitive), device_(plan_device), rules_(rules_of(primitive)) {
  const Device given = recorder.device();
  if (&given.impl() != &plan_device.impl()) {
    fail("the plan was made for " + core::another_device(plan_device.impl(), given.impl()) +
         ". Make it for the device that it is recorded on, " + given.info().selector + ".");
  }
  if (recorder.in_independent()) {
    fail(
        "the dispatches of a plan depend on one another, so they cannot be independent commands. Record the plan "
        "outside the scope of Recorder::independent().");
  }
}

void ArgumentChecks::fail(const std::string& message) const { core::invalid(primitive_, message); }

void ArgumentChecks::of_this_device(const char* name, const Region& region) const {
  if (region.buffer != nullptr && !device_.impl().shares_memory_with(region.buffer->device())) {
    fail(std::string("'") + name + "' belongs to another device than the plan.");
  }
}

void ArgumentChecks::aligned(const char* name, const Region& region, uint32_t align) const {
  if (region.address() % align != 0) {
    fail(std::string("'") + name + "' starts at byte " + std::to_string(region.offset) +
         " of its buffer; it must start at a multiple of " + std::to_string(align) + " bytes.");
  }
}

void ArgumentChecks::use(const char* name, const Region& region, uint64_t bytes) {
  Used& used = used_[rules_.index_of(name)];
  if (!region.buffer || bytes == 0) return;
  // A region may reach past its buffer in tests of far indices. Only the part in the buffer is memory.
  const uint64_t begin = std::max(region.address(), region.buffer->address());
  const uint64_t end = std::min(region.address() + bytes, region.buffer->address() + region.buffer->bytes());
  used = {begin, begin < end ? end - begin : 0};
}

void ArgumentChecks::region(const char* name, const Region& region, uint64_t bytes, uint32_t align) {
  of_this_device(name, region);
  if (region.bytes < bytes) {
    fail(std::string("'") + name + "' has " + std::to_string(region.bytes) + " bytes and needs at least " +
         std::to_string(bytes) + ".");
  }
  aligned(name, region, align);
  use(name, region, bytes);
}

void ArgumentChecks::empty(const char* name, const Region& region, const std::string& reason) const {
  if (region.bytes != 0) fail(std::string("'") + name + "' was given, but " + reason + "; leave it empty.");
}

Region ArgumentChecks::temporary(const Region& region, uint64_t bytes) {
  this->region("temporary", region, bytes, 1);
  if (bytes == 0) return region;
  return region.part((temporary_slack - region.address() % temporary_slack) % temporary_slack, bytes - temporary_slack);
}

ResolvedCount ArgumentChecks::count(const Count& count, uint64_t max_count, std::span<const Holder> holders,
                                    const char* name) {
  ResolvedCount resolved{count.value(), 0};
  if (count.is_on_device()) {
    region(name, count.region(), count.bytes(), count.bytes());
    resolved = {max_count, count.region().address(), count.bytes() == sizeof(uint32_t)};
    for (const Holder& holder : holders) resolved.most = std::min(resolved.most, holder.region.bytes / holder.bytes);
  } else if (count.value() > max_count) {
    fail(std::string("'") + name + "' is " + core::count_text(count.value()) + ", and the plan was made for at most " +
         std::to_string(max_count) + ".");
  }
  for (const Holder& holder : holders) {
    of_this_device(holder.name, holder.region);
    const uint64_t holds = holder.region.bytes / holder.bytes;
    if (holds < resolved.most) {
      fail(std::string("'") + holder.name + "' has room for " + std::to_string(holds) + " elements of " +
           std::to_string(holder.bytes) + " bytes, and the count is " + std::to_string(resolved.most) + ".");
    }
    if (resolved.most > 0) aligned(holder.name, holder.region, holder.align);
    use(holder.name, holder.region, resolved.most * holder.bytes);
  }
  return resolved;
}

ResolvedCount ArgumentChecks::segments(const char* name, const Region& offsets, uint32_t offset_bytes,
                                       const Count& segments, uint64_t max_segments, const Holder* output) {
  const uint64_t known = std::min(segments.value(), max_segments);  // 0 if it is on the device
  region(name, offsets, (known + 1) * offset_bytes, offset_bytes);
  const Region behind_first = offsets.part(offset_bytes, offsets.bytes - offset_bytes);
  const Holder held{name, behind_first, offset_bytes, offset_bytes};
  const char* const count_name = "segment_count";
  const ResolvedCount named = output ? count(segments, max_segments, {held, *output}, count_name)
                                     : count(segments, max_segments, {held}, count_name);
  use(name, offsets, (named.most + 1) * offset_bytes);
  return named;
}

void ArgumentChecks::written(const char* name, const CountOutput& counts, uint64_t most, uint32_t number) {
  if (counts.bytes() < sizeof(uint64_t) && most > UINT32_MAX) {
    fail(std::string("'") + name + "' has 32 bits, and the count may be " + std::to_string(most) +
         "; give it a word of 64 bits, or make the plan for at most 4294967295 elements.");
  }
  region(name, counts.region(), uint64_t{number} * counts.bytes(), counts.bytes());
}

void ArgumentChecks::overlaps() const {
  for (size_t one = 0; one < rules_.arguments.size(); ++one) {
    for (size_t other = one + 1; other < rules_.arguments.size(); ++other) {
      const Used &a = used_[one], &b = used_[other];
      const bool apart =
          a.bytes == 0 || b.bytes == 0 || a.address + a.bytes <= b.address || b.address + b.bytes <= a.address;
      if (!apart && !may_share(one, other)) fail_overlap(one, other);
    }
  }
}

bool ArgumentChecks::may_share(size_t one, size_t other) const {
  const auto only_read = [&](size_t argument) { return rules_.arguments[argument].access == Access::read; };
  return (only_read(one) && only_read(other)) || may_be_over(one, other) || may_be_over(other, one);
}

bool ArgumentChecks::may_be_over(size_t output, size_t input) const {
  const ArgumentRule& rule = rules_.arguments[output];
  if (!rule.may_share_with(rules_.arguments[input].name)) return false;
  const Used &written = used_[output], &read = used_[input];
  return rule.sharing == Sharing::within || (written.address == read.address && written.bytes == read.bytes);
}

void ArgumentChecks::fail_overlap(size_t one, size_t other) const {
  const bool swapped = rules_.arguments[one].access != Access::read && rules_.arguments[other].access == Access::read;
  const ArgumentRule &first = rules_.arguments[swapped ? other : one],
                     &second = rules_.arguments[swapped ? one : other];
  const auto quoted = [](const ArgumentRule& rule) { return "'" + std::string(rule.name) + "'"; };
  std::string message = quoted(first) + " and " + quoted(second) + " overlap, and the plan writes " + quoted(second);
  if (second.may_share_with(first.name)) {
    fail(message + ". It may start where " + quoted(first) +
         " does, with elements of the same size; otherwise give it "
         "memory of its own.");
  }
  fail(message + "; give them memory of their own.");
}

bool has_int64_atomics(const DeviceInfo& device) {
  return device.features.int64 && device.features.buffer_int64_atomics;
}

void check_int64_atomics(const char* primitive, const DeviceInfo& device, uint64_t max_count) {
  if (max_count <= UINT32_MAX || has_int64_atomics(device)) return;
  throw Error(ErrorCode::unsupported, std::string(primitive) + " of up to " + core::count_text(max_count) +
                                          " elements needs 64-bit atomics on buffers, which " + device.selector + " (" +
                                          device.name + ") lacks. Up to 4294967295 elements work.");
}

void check_addressable(const char* primitive, const Element& element, uint64_t max_count) {
  constexpr uint64_t most_bytes = uint64_t{1} << 40;  // 2^32 blocks of 256 bytes: shaders/thread/memory.glsl
  if (max_count > most_bytes / element.bytes()) {
    core::invalid(primitive, "a plan for " + core::count_text(max_count) + " elements of " +
                                 std::to_string(element.bytes()) +
                                 " bytes is beyond the 1 TiB that its kernels can address; make it for at most " +
                                 std::to_string(most_bytes / element.bytes()) + ".");
  }
}

}  // namespace weft::algorithms

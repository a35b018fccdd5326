#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <weft/buffer.h>
#include <weft/element.h>
#include <weft/element_memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>

namespace weft::algorithms {

/// The maximum count of the plan that a convenience function keeps for `count` elements: the next power of two, so that
/// changing counts do not make a new plan in each call.
uint64_t kept_plan_count(uint64_t count);
/// As above, for a function that takes 32-bit offsets. Throws invalid_argument if those are too short.
uint64_t kept_short_count(const char* function, uint64_t count);
/// The region of an argument of `function`. Throws invalid_argument if it holds elements of another size.
const Region& elements_in(const char* function, const char* name, const ElementMemory& memory, const Element& element);
/// The number of segments. Throws invalid_argument if there are no offsets.
uint64_t segments_of(const char* function, const View<const uint32_t>& offsets);

/// The key under which a stream keeps a plan: everything that the plan depends on.
std::string plan_key(const char* primitive, const Element& element, const std::string& parameters, uint64_t max_count);
/// Parts of a key for plan_key(); families have more of them.
std::string key_of(const Operator& op);
std::string key_of(const Transform& transform);

/// Records a plan that writes its result to `result`.
using RecordResult = std::function<void(const Region& result, const Region& temporary)>;
/// Records a plan that writes `result.size()` bytes, waits for it and downloads them to `result`. The stream provides
/// their memory and `temporary_bytes` of storage.
void run_plan(Stream& stream, std::span<std::byte> result, uint64_t temporary_bytes, const RecordResult& record);
/// As above for a plan that writes a 64-bit number of results. Returns the number.
uint64_t run_counted(Stream& stream, uint64_t temporary_bytes, const RecordResult& record);

}  // namespace weft::algorithms

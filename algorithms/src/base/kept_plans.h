#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <weft/buffer.h>
#include <weft/compact.h>
#include <weft/element.h>
#include <weft/memory.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <weft/transform.h>

namespace weft::algorithms {

/// The maximum count of the plan that a convenience function keeps for `count` elements: the next power of two, so that
/// a count that changes from call to call does not make a plan each time.
uint64_t kept_plan_count(uint64_t count);
/// The same of elements or segments where `function` takes offsets of 32 bits. Throws invalid_argument where those do
/// not do.
uint64_t kept_short_count(const char* function, uint64_t count);
/// The region of an argument of `function`. Throws invalid_argument where it holds elements of another size.
const Region& elements_in(const char* function, const char* name, const ElementMemory& memory, const Element& element);
/// How many segments the offsets name. Throws invalid_argument where there are no offsets.
uint64_t segments_of(const char* function, const View<const uint32_t>& offsets);

/// Under what a stream keeps a plan: everything that the plan was made from.
std::string plan_key(const char* primitive, const Element& element, const std::string& parameters, uint64_t max_count);
/// An operator, a selection and a transform as plan_key() takes them.
std::string key_of(const Operator& op);
std::string key_of(const Transform& transform);
std::string key_of(const Selection& selection);

/// Runs what `record` records of a plan that writes how many results there are to a 64-bit word: that word and
/// `temporary_bytes` are the stream's. Waits for it and returns the number.
uint64_t run_counted(Stream& stream, uint64_t temporary_bytes,
                     const std::function<void(const Region& number, const Region& temporary)>& record);

}  // namespace weft::algorithms

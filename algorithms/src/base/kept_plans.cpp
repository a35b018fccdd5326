#include "algorithms/src/base/kept_plans.h"

#include <algorithm>
#include <bit>

#include "algorithms/src/base/fields.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/base/tiling.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {

uint64_t kept_plan_count(uint64_t count) {
  constexpr uint64_t least = uint64_t{1} << 16;
  return std::bit_ceil(std::max(count, least));
}

uint64_t kept_short_count(const char* function, uint64_t count) {
  if (count > most_short_offset) {
    core::invalid(function, core::count_text(count) +
                                " elements or segments are too many for 32-bit offsets; make a "
                                "plan, which takes 64-bit offsets.");
  }
  return std::min(kept_plan_count(count), most_short_offset);
}

namespace {

// Whether an array of numbers of `bytes` bytes can hold consecutive elements of this type.
bool is_packed_of(const Element& element, uint64_t bytes) {
  return element.is_struct() && std::ranges::all_of(element.fields(), [&](const Element::Field& field) {
           return field_type(field.type).scalar->bytes == bytes;
         });
}

}  // namespace

const Region& elements_in(const char* function, const char* name, const ElementMemory& memory, const Element& element) {
  const uint64_t held = memory.element_bytes();
  if (held != 0 && held != element.bytes() && !is_packed_of(element, held)) {
    core::invalid(function, std::string("'") + name + "' holds elements of " + std::to_string(held) + " bytes, but " +
                                element.name() + " has " + std::to_string(element.bytes()) +
                                ". Name all fields of the elements, padding included. If the memory does hold " +
                                std::to_string(element.bytes()) + " bytes each, pass its region.");
  }
  return memory.region();
}

uint64_t segments_of(const char* function, const View<const uint32_t>& offsets) {
  if (offsets.size() == 0) {
    core::invalid(function, "'offsets' is empty; it must hold one offset more than there are segments.");
  }
  return offsets.size() - 1;
}

std::string plan_key(const char* primitive, const Element& element, const std::string& parameters, uint64_t max_count) {
  return std::string("weft::") + primitive + "\n" + element.name() + "\n" + parameters + "\n" +
         std::to_string(max_count);
}

std::string key_of(const Operator& op) {
  return op.name + "\n" + op.combine + "\n" + op.identity + "\n" + op.nothing + "\n" +
         (op.commutative ? "commutative" : "ordered");
}

std::string key_of(const Transform& transform) {
  return transform.from.name() + (transform.two ? "\n2\n" : "\n1\n") + transform.expression;
}

void run_plan(Stream& stream, std::span<std::byte> result, uint64_t temporary_bytes, const RecordResult& record) {
  TemporaryLayout layout;
  const TemporaryLayout::Part output = layout.add(result.size()), temporary = layout.add(temporary_bytes);
  const Region scratch = stream.scratch(layout.bytes());
  record(output.in(scratch), temporary.in(scratch));
  stream.download_region(output.in(scratch), result);
}

uint64_t run_counted(Stream& stream, uint64_t temporary_bytes, const RecordResult& record) {
  uint64_t number = 0;
  run_plan(stream, std::as_writable_bytes(std::span(&number, 1)), temporary_bytes, record);
  return number;
}

}  // namespace weft::algorithms

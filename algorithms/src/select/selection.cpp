#include "algorithms/src/select/selection.h"

#include <string>

#include "algorithms/src/base/user_expressions.h"
#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

void define_flags(KernelMaker& maker, uint32_t bits) {
  if (bits == 32) return;
  if (bits != 8) {
    core::invalid(maker.primitive(), "flags have 8 or 32 bits, not " + std::to_string(bits) + ".");
  }
  const bool has_bytes = maker.device().info().features.storage8;
  maker.refuse("elements by 8-bit flags", has_bytes ? "" : "8-bit members in buffers; flags of 32 bits need none");
  maker.define("WEFT_STORAGE8").define("WEFT_BYTE_FLAGS");
}

}  // namespace

void define_selection(KernelMaker& maker, const Element& element, const Selection& selection) {
  if (selection.of_runs) return define_equality(maker, element, selection.equality);
  if (selection.by_flags()) return define_flags(maker, selection.flag_bits);
  maker.expression("WEFT_WHERE", "selection", selection.where);
}

std::string key_of(const Selection& selection) {
  if (selection.by_flags()) return "flags\n" + std::to_string(selection.flag_bits);
  return selection.of_runs ? "runs\n" + selection.equality.same : "where\n" + selection.where;
}

}  // namespace weft::algorithms

#include "backends/translate/emit_function.h"

#include "backends/translate/lane_flow.h"
#include "backends/translate/scalar_flow.h"

namespace weft::translate {

std::string emit_function(ModuleEmitter& parent, const FunctionFacts& facts) {
  return facts.runs_once ? LaneFlow(parent, facts).run() : ScalarFlow(parent, facts).run();
}

}  // namespace weft::translate

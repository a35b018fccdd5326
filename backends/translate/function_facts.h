#pragma once

#include "backends/translate/lane_values.h"

namespace weft::translate {

/// What is known of a function before its code is emitted.
struct FunctionFacts {
  FunctionFacts(const ModuleEmitter& parent, const Function& function);
  FunctionFacts(const FunctionFacts&) = delete;  // its parts refer to one another

  const Function& function;
  const bool acts;       ///< Contains a subgroup operation, so it takes the mask of active lanes.
  const bool runs_once;  ///< For a subgroup as one flow of control; otherwise for each invocation.
  const Structure structure;
  const FunctionValues values;
  const Masks masks;
  const LaneValues lanes;
};

}  // namespace weft::translate

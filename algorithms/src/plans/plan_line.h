#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <weft/device.h>
#include <weft/error.h>

#include "algorithms/src/plans/fields.h"
#include "core/src/runtime/making_plan.h"

/// Plans as lines of text: a plan's name, and the fields of its parameters that are not the default.
///
///     Sort key=uint value=uint max_count=1000000
///     Compact element=float selection.where="x > 0.5" max_count=4096
///
/// A value with blanks, quotes or nothing in it stands in double quotes, where \ precedes " and \, and \n is a new
/// line.
namespace weft::algorithms {

/// The texts that differ from the defaults.
std::string joined_line(std::string_view plan, const FieldTexts& texts, const FieldTexts& defaults);

/// The line for these parameters, whose type is one of those in this folder.
template <typename Parameters>
std::string plan_line(Parameters parameters) {
  FieldWriter given, defaults;
  parameters.each(given);
  Parameters().each(defaults);
  return joined_line(Parameters::plan, given.texts, defaults.texts);
}

/// A line's first word, which names its plan.
std::string plan_of(const std::string& line);
/// The fields after it. Throws invalid_argument for a word that is none, and for a value without a closing quote.
FieldTexts fields_of(const std::string& line);

/// Throws `error`, which is about a field, with the plan's name before it.
[[noreturn]] void refuse_fields(const std::string& plan, const Error& error);
/// Throws invalid_argument: no plan has that name.
[[noreturn]] void refuse_plan(const std::string& name, const std::vector<std::string>& known);

/// Stands at the start of a plan's constructor, and lives as long as it runs.
class PlanNote {
 public:
  template <typename Parameters>
  PlanNote(const Device& device, Parameters parameters) : making_(device.impl(), plan_line(std::move(parameters))) {}

 private:
  const core::MakingPlan making_;
};

}  // namespace weft::algorithms

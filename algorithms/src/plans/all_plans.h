#pragma once

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <weft/error.h>

#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/plans/scans.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "algorithms/src/plans/trees.h"

/// All plans as one table, from which lists for packs and the C interface are made. The struct of a plan's parameters
/// has
///
/// - `plan`, its name, which argument_rules.cpp has too;
/// - each(f): visits the parameters of its constructor by name;
/// - make(device): the plan;
/// - arguments(f): the plan's Arguments, each taken from f.region(), f.count(), f.count_output() or f.number(), in the
///   order of the members of the C struct. A new one goes to the end;
/// - record(plan, recorder, arguments), if the plan's own function has another name, and refit() if it has that too;
/// - properties(f), if there are any: visits the plan's functions that return a number which a caller needs, by name.
namespace weft::algorithms {

using AllParameters =
    std::tuple<AtomicReduceByKeyParameters, BoxKdTreeParameters, BvhQueryParameters, CompactParameters,
               EnqueueParameters, FindNeighboursParameters, FindPairsParameters, HashEntriesParameters,
               HashEraseParameters, HashFindParameters, HashInsertParameters, HashRehashParameters, HashTableParameters,
               HistogramParameters, IndirectGroupsParameters, KdNearestParameters, KdTreeParameters, LbvhParameters,
               MapParameters, MergeParameters, MergeSortParameters, MipmapsParameters, MortonParameters,
               PartitionParameters, ReduceParameters, ReduceByKeyParameters, RunLengthDecodeParameters,
               RunLengthEncodeParameters, ScanParameters, ScanByKeyParameters, SegmentedReduceParameters,
               SegmentedScanParameters, SegmentedSortParameters, SortParameters, SplitParameters, TileSortParameters,
               TopKParameters, TreeReduceParameters>;

/// Visits the parameters of each plan, all of them the defaults.
template <typename Visit>
void each_plan(const Visit& visit) {
  std::apply([&](const auto&... parameters) { (visit(parameters), ...); }, AllParameters());
}

/// The names of all plans, as lists have them.
inline std::vector<std::string> plan_names() {
  std::vector<std::string> names;
  each_plan([&](const auto& parameters) { names.emplace_back(parameters.plan); });
  return names;
}

/// Calls `visit` with the parameters that a line has. Throws invalid_argument, saying what was expected, if it names no
/// plan or has a wrong field.
template <typename Visit>
void read_plan(const std::string& line, const Visit& visit) {
  const std::string name = plan_of(line);
  bool known = false;
  each_plan([&](auto parameters) {
    if (known || name != parameters.plan) return;
    known = true;
    try {
      FieldReader fields(fields_of(line));
      parameters.each(fields);
      FieldNamer namer;
      decltype(parameters)().each(namer);
      fields.require_all_read(namer.names);
    } catch (const Error& error) {
      refuse_fields(name, error);
    }
    visit(std::move(parameters));
  });
  if (!known) refuse_plan(name, plan_names());
}

}  // namespace weft::algorithms

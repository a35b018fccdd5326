#include <algorithm>

#include "backends/translate/lane_values.h"
#include "backends/translate/rules.h"

// Where the statements of a function that runs once for a subgroup are: in loops over the lanes, or outside.
namespace weft::translate {

Level LaneValues::level_of(const Instruction& i, int construct) const {
  if (!runs_once_ || parent_.in_vectors()) return Level::group;
  const Level level = level_by_kind(i, construct);
  const auto is_of_lanes = [&](Id id) { return is_array(id) && !is_per_lane(id); };  // the open loop may compute it
  return level == Level::ahead && std::ranges::any_of(i.args, is_of_lanes) ? Level::group : level;
}

Level LaneValues::level_by_kind(const Instruction& i, int construct) const {
  if (level_in(construct) == Level::lanes) return Level::lanes;
  if (parent_.acts(i) || i.op == spv::OpMemoryBarrier) return Level::group;
  const Rule* rule = find_rule(i.op);
  if (rule && rule->group == std::string_view("atomic")) return Level::lanes;
  switch (i.op) {
    case spv::OpVariable:
      return is_per_lane(i.result) ? Level::lanes : Level::group;
    case spv::OpLoad:
      return level_of_load(i);
    case spv::OpStore:
      if (!Types::is_byte_addressed(parent_.module.type_of_value(i.arg(0)).storage)) {
        return is_per_lane(values_.base_of(i.arg(0))) ? Level::lanes : Level::group;
      }
      return is_per_lane(i.arg(0)) || is_per_lane(i.arg(1)) ? Level::lanes : Level::group;
    case spv::OpCopyMemory:
      return Level::lanes;
    case spv::OpFunctionCall:
      return parent_.runs_once(i) ? Level::group : Level::lanes;
    default:
      return is_per_lane(i.result) ? Level::lanes : Level::ahead;
  }
}

// Memory that nobody writes may be read before the statements of lanes.
Level LaneValues::level_of_load(const Instruction& load) const {
  if (is_per_lane(load.result)) return Level::lanes;
  const spv::StorageClass storage = parent_.module.type_of_value(load.arg(0)).storage;
  const bool stays = !Types::is_byte_addressed(storage) || storage == spv::StorageClassPushConstant;
  return stays ? Level::ahead : Level::group;
}

// Statements of lanes take uniform values from variables, and reads of memory stay between the loops that may write it.
bool LaneValues::stays_apart(const Instruction& i, int construct) const {
  if (!runs_once_ || parent_.in_vectors()) return false;
  const Level level = level_of(i, construct);
  return level == Level::group || (level == Level::ahead && used_by_lanes_.contains(i.result));
}

}  // namespace weft::translate

#include "backends/translate/rules.h"

// Subgroup operations: functions of the prelude that take the mask of active lanes.
namespace weft::translate {

void ExpressionEmitter::subgroup_call(const Instruction& i, const Rule& rule) {
  const std::string active = rule.needs_lanes ? ", mask" : "";  // reading a ballot needs no mask
  define(i, std::string(rule.text) + "(self" + active + arguments(i, 1) + ", " + std::to_string(parent_.site(i)) + ")");
}

// Operations of the older extensions, which have no scope.
void ExpressionEmitter::subgroup_old(const Instruction& i, const Rule& rule) {
  define(i, std::string(rule.text) + "(self, mask" + arguments(i, 0) + ", " + std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::subgroup_arithmetic(const Instruction& i, const Rule& rule) {
  const char* function = nullptr;
  switch (i.arg(1)) {
    case spv::GroupOperationReduce:
      function = "weft_reduce";
      break;
    case spv::GroupOperationInclusiveScan:
      function = "weft_inclusive_scan";
      break;
    case spv::GroupOperationExclusiveScan:
      function = "weft_exclusive_scan";
      break;
    case spv::GroupOperationClusteredReduce:
      function = "weft_clustered_reduce";
      break;
    case spv::GroupOperationPartitionedReduceNV:
      function = "weft_partitioned_reduce";
      break;
    case spv::GroupOperationPartitionedInclusiveScanNV:
      function = "weft_partitioned_inclusive_scan";
      break;
    case spv::GroupOperationPartitionedExclusiveScanNV:
      function = "weft_partitioned_exclusive_scan";
      break;
    default:
      parent_.refuse(i, "with this group operation is not supported");
  }
  define(i, std::string(function) + "<" + rule.text + ">(self, mask" + arguments(i, 2) + ", " +
                std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::ballot_bit_count(const Instruction& i, const Rule& rule) {
  const char* const kinds[] = {"", "_inclusive", "_exclusive"};
  if (i.arg(1) > 2) parent_.refuse(i, "with this group operation is not supported");
  define(i, std::string(rule.text) + kinds[i.arg(1)] + "(self" + arguments(i, 2) + ", " +
                std::to_string(parent_.site(i)) + ")");
}

void ExpressionEmitter::subgroup_rotate(const Instruction& i, const Rule& rule) {
  const std::string cluster = i.args.size() > 3 ? value(i.arg(3)) : "weft_subgroup_size(self)";
  define(i, std::string(rule.text) + "(self, mask, " + value(i.arg(1)) + ", " + value(i.arg(2)) + ", " + cluster +
                ", " + std::to_string(parent_.site(i)) + ")");
}

}  // namespace weft::translate

#include "algorithms/src/base/argument_rules.h"

#include <algorithm>

#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

constexpr ArgumentRule read(std::string_view name) { return {name}; }
constexpr ArgumentRule written(std::string_view name) { return {name, Access::written}; }
constexpr ArgumentRule updated(std::string_view name) { return {name, Access::updated}; }
constexpr ArgumentRule over(std::string_view name, std::string_view input, std::string_view or_input = {}) {
  return {name, Access::written, Sharing::same, {input, or_input}};
}
constexpr ArgumentRule within(std::string_view name, std::string_view input, std::string_view or_input = {}) {
  return {name, Access::written, Sharing::within, {input, or_input}};
}
constexpr ArgumentRule count = read("count");
constexpr ArgumentRule temporary = written("temporary");

constexpr ArgumentRule reduce[] = {read("input"), read("second"), within("output", "input", "second"), count,
                                   temporary};
constexpr ArgumentRule scan[] = {read("input"), read("second"), over("output", "input", "second"), count, temporary};
constexpr ArgumentRule map[] = {read("input"), read("second"), over("output", "input", "second"), count};
constexpr ArgumentRule box_kd_tree[] = {
    read("primitives"), written("nodes"), written("references"), written("counts"), count, temporary};
constexpr ArgumentRule bvh_query[] = {read("nodes"),      read("indices"),  read("bounds"),   read("leaves"),
                                      read("primitives"), read("vertices"), read("queries"),  count,
                                      written("hits"),    written("ends"),  written("found"), temporary};
constexpr ArgumentRule compact[] = {read("input"),       read("flags"), written("output"),
                                    written("selected"), count,         temporary};
constexpr ArgumentRule partition[] = {read("input"),       read("flags"), written("output"), written("others"),
                                      written("selected"), count,         temporary};
constexpr ArgumentRule enqueue[] = {read("input"), written("output"), written("others"), written("queued"), count};
constexpr ArgumentRule indirect_groups[] = {written("groups"), count};
constexpr ArgumentRule split[] = {
    read("input"), written("first"), written("second"), written("third"), written("counts"), count, temporary};
constexpr ArgumentRule run_length_encode[] = {read("input"), written("output"), written("lengths"), written("runs"),
                                              count,         temporary};
constexpr ArgumentRule run_length_decode[] = {read("values"),     read("lengths"), written("output"),
                                              written("decoded"), read("runs"),    temporary};
constexpr ArgumentRule reduce_by_key[] = {
    read("keys"), read("values"), written("unique_keys"), written("output"), written("runs"), count, temporary};
constexpr ArgumentRule scan_by_key[] = {read("keys"), read("input"), over("output", "input"), count, temporary};
constexpr ArgumentRule atomic_reduce_by_key[] = {read("keys"), read("values"), updated("table"), count};
constexpr ArgumentRule segmented_reduce[] = {
    read("input"), read("heads"), written("output"), written("segments"), read("segment_count"), count, temporary};
constexpr ArgumentRule segmented_scan[] = {read("input"),         read("heads"), over("output", "input"),
                                           read("segment_count"), count,         temporary};
constexpr ArgumentRule merge[] = {read("first"),     read("first_values"),     read("first_count"),
                                  read("second"),    read("second_values"),    read("second_count"),
                                  written("output"), written("output_values"), temporary};
constexpr ArgumentRule merge_sort[] = {
    read("input"), read("input_values"), over("output", "input"), over("output_values", "input_values"), count,
    temporary};
constexpr ArgumentRule segmented_sort[] = {read("input"),
                                           read("input_values"),
                                           read("offsets"),
                                           over("output", "input"),
                                           over("output_values", "input_values"),
                                           read("segment_count"),
                                           count,
                                           temporary};
constexpr ArgumentRule tile_sort[] = {read("input"), read("input_values"), over("output", "input"),
                                      over("output_values", "input_values"), count};
constexpr ArgumentRule sort[] = {read("keys"), read("values"), over("keys_out", "keys"), over("values_out", "values"),
                                 count,        temporary};
constexpr ArgumentRule histogram[] = {read("input"), read("edges"), read("weights"), written("output"), count};
constexpr ArgumentRule hash_table[] = {written("table")};
constexpr ArgumentRule hash_insert[] = {updated("table"),  read("keys"), read("values"), written("results"),
                                        written("counts"), count,        temporary};
constexpr ArgumentRule hash_find[] = {read("table"),    read("keys"),      written("values"),
                                      written("found"), written("counts"), count};
constexpr ArgumentRule hash_erase[] = {updated("table"),  read("keys"), written("erased"),
                                       written("counts"), count,        temporary};
constexpr ArgumentRule hash_entries[] = {read("table"), written("keys"), written("values"), written("entries")};
constexpr ArgumentRule hash_rehash[] = {read("from"), updated("to"), written("counts")};
constexpr ArgumentRule top_k[] = {read("input"), written("output"), written("indices"), written("found"),
                                  count,         temporary};
constexpr ArgumentRule kd_nearest[] = {read("nodes"),      read("node_count"),           read("queries"),
                                       written("indices"), written("squared_distances"), count};
constexpr ArgumentRule kd_tree[] = {read("points"), written("nodes"), count, temporary};
constexpr ArgumentRule lbvh[] = {read("primitives"),
                                 read("vertices"),
                                 written("nodes"),
                                 written("indices"),
                                 written("leaf_parents"),
                                 written("bounds"),
                                 count,
                                 temporary};
constexpr ArgumentRule find_neighbours[] = {read("points"), written("offsets"), written("neighbours"), written("found"),
                                            count,          temporary};
constexpr ArgumentRule find_pairs[] = {read("primitives"), read("vertices"), written("pairs"), written("found"), count,
                                       temporary};
constexpr ArgumentRule mipmaps[] = {read("image"), written("levels"), updated("counters")};
constexpr ArgumentRule morton[] = {read("points"), read("bounds"), written("codes"), count, temporary};
constexpr ArgumentRule tree_reduce[] = {read("leaves"),       read("children"),  read("parents"),
                                        read("leaf_parents"), written("output"), count,
                                        read("inner_count"),  temporary};

constexpr PlanRules plans[] = {{"Reduce", reduce},
                               {"Scan", scan},
                               {"Map", map},
                               {"Compact", compact},
                               {"Partition", partition},
                               {"Enqueue", enqueue},
                               {"IndirectGroups", indirect_groups},
                               {"Split", split},
                               {"RunLengthEncode", run_length_encode},
                               {"RunLengthDecode", run_length_decode},
                               {"ReduceByKey", reduce_by_key},
                               {"ScanByKey", scan_by_key},
                               {"AtomicReduceByKey", atomic_reduce_by_key},
                               {"BoxKdTree", box_kd_tree},
                               {"BvhQuery", bvh_query},
                               {"SegmentedReduce", segmented_reduce},
                               {"SegmentedScan", segmented_scan},
                               {"Merge", merge},
                               {"MergeSort", merge_sort},
                               {"SegmentedSort", segmented_sort},
                               {"TileSort", tile_sort},
                               {"Sort", sort},
                               {"Histogram", histogram},
                               {"HashTable", hash_table},
                               {"HashInsert", hash_insert},
                               {"HashFind", hash_find},
                               {"HashErase", hash_erase},
                               {"HashEntries", hash_entries},
                               {"HashRehash", hash_rehash},
                               {"TopK", top_k},
                               {"KdNearest", kd_nearest},
                               {"KdTree", kd_tree},
                               {"FindNeighbours", find_neighbours},
                               {"FindPairs", find_pairs},
                               {"Lbvh", lbvh},
                               {"Mipmaps", mipmaps},
                               {"Morton", morton},
                               {"TreeReduce", tree_reduce}};
static_assert(std::ranges::all_of(plans, [](const PlanRules& one) { return one.arguments.size() <= most_arguments; }));

std::string quoted(std::string_view name) { return "`" + std::string(name) + "`"; }

}  // namespace

size_t PlanRules::index_of(std::string_view argument) const {
  const auto found = std::ranges::find(arguments, argument, &ArgumentRule::name);
  if (found != arguments.end()) return size_t(found - arguments.begin());
  core::own_mistake("lacks the rule for the argument '" + std::string(argument) + "' of " + std::string(plan));
}

std::string PlanRules::in_place() const {
  std::string text;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : ", ") + words; };
  for (const ArgumentRule& rule : arguments) {
    if (rule.access == Access::updated) add(quoted(rule.name) + " is read and written");
    if (rule.sharing == Sharing::none) continue;
    const std::string more = rule.with[1].empty() ? "" : " or " + quoted(rule.with[1]);
    add(quoted(rule.name) + (rule.sharing == Sharing::same ? " over " : " anywhere in ") + quoted(rule.with[0]) + more);
  }
  return text.empty() ? "no" : text;
}

std::span<const PlanRules> all_plan_rules() { return plans; }

const PlanRules& rules_of(std::string_view plan) {
  const auto found = std::ranges::find(plans, plan, &PlanRules::plan);
  if (found != std::end(plans)) return *found;
  core::own_mistake("lacks the rules for the arguments of " + std::string(plan));
}

}  // namespace weft::algorithms

#include <vector>

#include "bench/cases.h"
#include "tools/support/text.h"

namespace weft::bench {
namespace {

uint64_t input_only(uint32_t element_bytes, uint64_t count) { return element_bytes * count; }
uint64_t input_and_output(uint32_t element_bytes, uint64_t count) { return 2 * element_bytes * count; }
uint64_t input_and_two_outputs(uint32_t element_bytes, uint64_t count) { return 3 * element_bytes * count; }

constexpr Benchmark all[] = {
    {"copy", "kernel", true, "a kernel that copies uvec4", input_and_output, prepare_copy_kernel},
    {"copy", "buffer", true, "the device interface's buffer copy", input_and_output, prepare_copy_buffer},
    {"reduce", "", true, "sum of all elements", input_only, prepare_reduce},
    {"scan", "", true, "exclusive prefix sum, by the path that the device takes", input_and_output, prepare_scan},
    {"scan", "look-back", false, "the single pass", input_and_output, prepare_scan_look_back},
    {"scan", "reduce-then-scan", false, "three dispatches", input_and_output, prepare_scan_reduce_then_scan},
    {"compact", "", true, "ordered selection of half of the elements", input_and_output, prepare_compact},
    {"compact", "look-back", false, "the single pass", input_and_output, prepare_compact_look_back},
    {"compact", "reduce-then-scan", false, "three dispatches", input_and_output, prepare_compact_reduce_then_scan},
    {"enqueue", "naive", true, "unordered selection of half, one atomic for each element", input_and_output,
     prepare_enqueue_naive},
    {"enqueue", "subgroup", true, "one atomic for each subgroup", input_and_output, prepare_enqueue_subgroup},
    {"enqueue", "multi-item", true, "one atomic for each workgroup", input_and_output, prepare_enqueue_multi_item},
    {"enqueue", "complement", true, "into two queues", input_and_two_outputs, prepare_enqueue_complement},
};

}  // namespace

std::span<const Benchmark> benchmarks() { return all; }

std::vector<const Benchmark*> find_benchmarks(const std::string& name) {
  std::vector<const Benchmark*> found;
  std::vector<std::string> names;
  std::string list;
  for (const Benchmark& benchmark : all) {
    if (benchmark.name() == name || (benchmark.family == name && benchmark.by_default)) found.push_back(&benchmark);
    if (names.empty() || names.back() != benchmark.family) names.push_back(benchmark.family);
    if (*benchmark.variant) names.push_back(benchmark.name());
  }
  if (!found.empty()) return found;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  const auto near = tools::nearest(name, names);
  throw Error(ErrorCode::invalid_argument, "there is no benchmark '" + name + "'" +
                                               (near ? "; did you mean " + *near + "?" : "; there are " + list));
}

}  // namespace weft::bench

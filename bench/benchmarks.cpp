#include <algorithm>
#include <string_view>
#include <vector>

#include "bench/benchmark.h"
#include "support/text.h"

namespace weft::bench {

/// What all files of cases/ export, in the order of their names: in cases.cpp, which CMake writes.
std::vector<Benchmark> benchmarks_of_cases();

namespace {

// The order of lists and runs. Other families come after these.
constexpr std::string_view first_families[] = {"copy",
                                               "reduce",
                                               "scan",
                                               "compact",
                                               "unique",
                                               "run-length",
                                               "run-length-decode",
                                               "reduce-by-key",
                                               "scan-by-key",
                                               "atomic-by-key",
                                               "segmented-reduce",
                                               "segmented-scan",
                                               "segmented-sort",
                                               "enqueue",
                                               "hash",
                                               "random",
                                               "lock",
                                               "merge",
                                               "merge-sort",
                                               "histogram",
                                               "partition",
                                               "split",
                                               "pool",
                                               "sort",
                                               "tile-sort",
                                               "grid-barrier",
                                               "queue",
                                               "top-k",
                                               "mipmaps",
                                               "morton",
                                               "tree-reduce",
                                               "kd-tree",
                                               "lbvh",
                                               "refit",
                                               "traversal",
                                               "rays",
                                               "pairs",
                                               "neighbours"};

size_t index_of_family(const Benchmark& benchmark) {
  return size_t(std::ranges::find(first_families, std::string_view(benchmark.family)) - first_families);
}

std::vector<Benchmark> ordered_benchmarks() {
  std::vector<Benchmark> all = benchmarks_of_cases();
  std::ranges::stable_sort(all, {}, index_of_family);
  return all;
}

}  // namespace

std::span<const Benchmark> benchmarks() {
  static const std::vector<Benchmark> all = ordered_benchmarks();
  return all;
}

std::vector<const Benchmark*> find_benchmarks(const std::string& name) {
  std::vector<const Benchmark*> found, family;
  std::vector<std::string> names;
  std::string list;
  for (const Benchmark& benchmark : benchmarks()) {
    const bool is_relative = benchmark.family == name;
    if (benchmark.name() == name || (is_relative && benchmark.by_default)) found.push_back(&benchmark);
    if (is_relative) family.push_back(&benchmark);
    if (std::ranges::find(names, benchmark.family) == names.end()) names.push_back(benchmark.family);
    if (*benchmark.variant) names.push_back(benchmark.name());
  }
  if (found.empty()) found = family;  // None of it runs by default: all of it.
  if (!found.empty()) return found;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  const auto near = support::nearest(name, names);
  throw Error(ErrorCode::invalid_argument,
              "there is no benchmark '" + name + "'" +
                  (near ? "; did you mean " + *near + "?" : "; the benchmarks are " + list));
}

}  // namespace weft::bench

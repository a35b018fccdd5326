#include <weft/atomic_by_key.h>

#include <array>

#include "bench/benchmark.h"
#include "bench/cases/runs.h"
#include "support/reference.h"

namespace weft::bench {
namespace {

constexpr uint32_t table_size = 4096;

enum class Keys { in_runs, scattered };

// Sums random values by key, into a table that is cleared first.
class AtomicByKeyCase : public Case {
 public:
  AtomicByKeyCase(const Problem& problem, Keys order, bool merges)
      : problem_(problem),
        order_(order),
        merges_(merges),
        plan_(problem.device, support::element_of(problem.type), Operator::sum(), problem.count,
              {.scattered_keys = merges, .tuning = problem.tuning}),
        keys_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        values_(random_inputs(problem)),
        tables_(problem.device, table_size * support::bytes(problem.type), problem.sets) {
    Stream stream = problem.device.stream();
    upload_to_sets(stream, keys_, keys());
  }

  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(uint32_t) + support::bytes(problem_.type)) + tables_[0].bytes;
  }
  void poison(Stream& stream) const override { poison_region(stream, tables_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    constexpr std::array<std::byte, 4> zero{};
    recorder.fill_region(tables_[set], zero);
    plan_.record(recorder,
                 {.keys = keys_[set], .values = values_[set], .table = tables_[set], .count = problem_.count});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return support::visit_element_type(problem_.type, [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      using Reference = support::RunningReference<T>;
      std::vector<Reference> wanted(table_size, Reference(support::Operation::sum));
      const std::vector<uint32_t> all = keys();
      for (uint64_t i = 0; i < problem_.count; ++i) wanted[all[i]].add(random_element<T>(problem_.seed, i));
      const std::vector<T> got = stream.download(View<T>(tables_[set]));
      for (uint32_t key = 0; key < table_size; ++key) {
        if (auto wrong = wanted[key].check(got[key])) return "key " + std::to_string(key) + ": " + *wrong;
      }
      return std::nullopt;
    });
  }

 private:
  // Scattered keys have the distribution that was asked for.
  std::vector<uint32_t> keys() const {
    std::vector<uint32_t> keys(problem_.count);
    RunElements<uint32_t> runs(problem_);
    for (uint64_t i = 0; i < keys.size(); ++i) {
      keys[i] = (order_ == Keys::in_runs ? runs.next() : random_element<uint32_t>(problem_.seed, i)) % table_size;
    }
    return keys;
  }

  Problem problem_;
  Keys order_;
  bool merges_;
  AtomicReduceByKey plan_;
  Sets keys_, values_, tables_;
};

template <Keys order, bool merges>
std::unique_ptr<Case> prepare_atomic(const Problem& problem) {
  if (support::bytes(problem.type) != 4) throw Error(ErrorCode::unsupported, "atomics take elements of 32 bits");
  return std::make_unique<AtomicByKeyCase>(problem, order, merges);
}

uint64_t key_and_input(uint32_t element_bytes, uint64_t count) { return (element_bytes + 4) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_atomic_by_key() {
  static constexpr Benchmark rows[] = {
      {"atomic-by-key", "", true, "sums by keys in runs, by atomics to a table of 4096", key_and_input,
       prepare_atomic<Keys::in_runs, false>},
      {"atomic-by-key", "scattered", false, "by keys of any --distribution, in random order", key_and_input,
       prepare_atomic<Keys::scattered, false>},
      {"atomic-by-key", "merged", false, "the same, equal keys of a subgroup merged first", key_and_input,
       prepare_atomic<Keys::scattered, true>},
  };
  return rows;
}

}  // namespace weft::bench

#include <weft/atomic_by_key.h>

#include <array>

#include "bench/cases.h"
#include "bench/cases/runs.h"
#include "tools/support/reference.h"

namespace weft::bench {
namespace {

constexpr uint32_t table_size = 4096;

// Sums random values by keys that come in runs, into a table that is cleared first.
class AtomicByKeyCase : public Case {
 public:
  explicit AtomicByKeyCase(const Problem& problem)
      : problem_(problem),
        plan_(problem.device, tools::element_of(problem.type), Operator::sum(), problem.count,
              {.tuning = problem.tuning}),
        keys_(problem.device, problem.count * sizeof(uint32_t), problem.sets),
        values_(random_inputs(problem)),
        tables_(problem.device, table_size * tools::bytes(problem.type), problem.sets) {
    std::vector<uint32_t> keys(problem.count);
    RunElements<uint32_t> elements(problem);
    for (uint32_t& key : keys) key = elements.next() % table_size;
    Stream stream = problem.device.stream();
    upload_to_sets(stream, keys_, keys);
  }

  uint64_t bytes_moved() const override {
    return problem_.count * (sizeof(uint32_t) + tools::bytes(problem_.type)) + tables_[0].bytes;
  }
  void poison(Stream& stream) const override { poison_region(stream, tables_.all()); }

  void record(Recorder& recorder, uint32_t set) const override {
    constexpr std::array<std::byte, 4> zero{};
    recorder.fill_region(tables_[set], zero);
    plan_.record(recorder,
                 {.keys = keys_[set], .values = values_[set], .table = tables_[set], .count = problem_.count});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return tools::visit_element_type(problem_.type, [&](auto t) -> std::optional<std::string> {
      using T = typename decltype(t)::type;
      using Reference = tools::RunningReference<T>;
      std::vector<Reference> wanted(table_size, Reference(tools::Operation::sum));
      RunElements<uint32_t> elements(problem_);
      for (uint64_t i = 0; i < problem_.count; ++i) {
        wanted[elements.next() % table_size].add(random_element<T>(problem_.seed, i));
      }
      const std::vector<T> got = stream.download(View<T>(tables_[set]));
      for (uint32_t key = 0; key < table_size; ++key) {
        if (auto wrong = wanted[key].check(got[key])) return "key " + std::to_string(key) + ": " + *wrong;
      }
      return std::nullopt;
    });
  }

 private:
  Problem problem_;
  AtomicReduceByKey plan_;
  Sets keys_, values_, tables_;
};

}  // namespace

std::unique_ptr<Case> prepare_atomic_by_key(const Problem& problem) {
  if (tools::bytes(problem.type) != 4) throw Error(ErrorCode::unsupported, "atomics take elements of 32 bits");
  return std::make_unique<AtomicByKeyCase>(problem);
}

}  // namespace weft::bench

#include <weft/enqueue.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

// A queue holds its elements in any order. So the check compares their number and the sum of their hashes, which a
// lost, duplicated or changed element alters.
struct Fingerprint {
  uint64_t count = 0, sum = 0;
  template <typename T>
  void add(T x) {
    uint64_t bits = 0;
    std::memcpy(&bits, &x, sizeof x);
    ++count;
    sum += random_element<uint64_t>(0x5eed, bits);
  }
  bool operator==(const Fingerprint&) const = default;
};

class EnqueueCase : public Case {
 public:
  EnqueueCase(const Problem& problem, EnqueueVariant variant)
      : problem_(problem),
        two_queues_(variant == EnqueueVariant::complement),
        plan_(problem.device, support::element_of(problem.type), Selection::when(kept_expression(problem.type)),
              problem.count, variant),
        kept_(count_kept(problem)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * support::bytes(problem.type), problem.sets),
        others_(problem.device, two_queues_ ? problem.count * support::bytes(problem.type) : 0, problem.sets),
        queued_(problem.device, (two_queues_ ? 2 : 1) * sizeof(uint64_t), problem.sets) {}

  uint64_t bytes_moved() const override {
    return (problem_.count + (two_queues_ ? problem_.count : kept_)) * support::bytes(problem_.type);
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, others_.all());
    poison_region(stream, queued_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .output = outputs_[set],
                            .others = two_queues_ ? others_[set] : Region{},
                            .queued = queued_[set],
                            .count = problem_.count});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const std::vector<uint64_t> queued = stream.download(View<uint64_t>(queued_[set]));
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      auto wrong = check<T>(stream, outputs_[set], queued[0], true);
      if (!wrong && two_queues_) wrong = check<T>(stream, others_[set], queued[1], false);
      return wrong;
    });
  }

 private:
  template <typename T>
  std::optional<std::string> check(Stream& stream, const Region& queue, uint64_t queued, bool kept) const {
    Fingerprint wanted, got;
    for (uint64_t i = 0; i < problem_.count; ++i) {
      const T x = random_element<T>(problem_.seed, i);
      if (is_kept(x) == kept) wanted.add(x);
    }
    const std::string which = kept ? "the queue" : "the other queue";
    if (queued != wanted.count)
      return which + " has " + support::format_count(queued) + " elements, expected " +
             support::format_count(wanted.count);
    check_in_chunks<T>(stream, queue.part(0, queued * sizeof(T)),
                       [&](uint64_t, std::span<const T> piece) -> std::optional<std::string> {
                         for (const T x : piece) got.add(x);
                         return std::nullopt;
                       });
    if (got == wanted) return std::nullopt;
    return which + " does not hold the selected elements";
  }

  Problem problem_;
  bool two_queues_;
  Enqueue plan_;
  uint64_t kept_;
  Sets inputs_, outputs_, others_, queued_;
};

}  // namespace

std::span<const Benchmark> benchmarks_of_enqueue() {
  static constexpr Benchmark rows[] = {
      {"enqueue", "naive", true, "unordered selection of half, one atomic for each element", input_and_output,
       prepare<EnqueueCase, EnqueueVariant::naive>},
      {"enqueue", "subgroup", true, "one atomic for each subgroup", input_and_output,
       prepare<EnqueueCase, EnqueueVariant::subgroup>},
      {"enqueue", "multi-item", true, "one atomic for each workgroup", input_and_output,
       prepare<EnqueueCase, EnqueueVariant::multi_item>},
      {"enqueue", "complement", true, "into two queues", input_and_two_outputs,
       prepare<EnqueueCase, EnqueueVariant::complement>},
  };
  return rows;
}

}  // namespace weft::bench

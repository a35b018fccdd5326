#include <algorithm>
#include <array>

#include <weft/progress.h>

#include "bench/benchmark.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "weft_bench_kernels.h"

namespace weft::bench {
namespace {

struct Record {
  uint32_t updates, sum, largest;
  bool operator==(const Record&) const = default;
};

// Updates of records of three words, under locks or by atomics. Elements are updates.
class LockCase : public Case {
 public:
  LockCase(const Problem& problem, uint32_t records, bool by_atomics)
      : problem_(problem),
        number_(records),
        kernel_(problem.device.kernel(kernels::lock(), KernelOptions().specialize(0, by_atomics))),
        locks_(problem.device.buffer<uint32_t>(records)),
        records_(problem.device.buffer<Record>(records)) {
    require_forward_progress(problem.device, "lock");
    Stream stream = problem.device.stream();
    stream.fill(locks_, 0u);
    stream.synchronize();
  }

  uint64_t bytes_moved() const override { return problem_.count * 2 * sizeof(Record); }
  void poison(Stream& stream) const override { poison_region(stream, records_); }

  void record(Recorder& recorder, uint32_t) const override {
    struct Block {
      uint64_t locks, records;
      uint32_t count, number;
    };
    constexpr std::array<std::byte, 4> zero{};
    recorder.fill_region(records_, zero);
    recorder.dispatch(kernel_, grid_of(problem_.count),
                      Block{locks_.pointer().address, records_.pointer().address, uint32_t(problem_.count), number_});
  }

  std::optional<std::string> verify(Stream& stream, uint32_t) const override {
    std::vector<Record> wanted(number_);
    for (uint32_t i = 0; i < problem_.count; ++i) {
      Record& record = wanted[(i * 2654435769u >> 7) % number_];
      record = {record.updates + 1, record.sum + i, std::max(record.largest, i)};
    }
    if (stream.download(records_) != wanted) return "a record is wrong";
    const std::vector<uint32_t> taken = stream.download(locks_);
    if (std::ranges::any_of(taken, [](uint32_t word) { return word != 0; })) return "a lock is left taken";
    return std::nullopt;
  }

 private:
  Problem problem_;
  uint32_t number_;
  Kernel kernel_;
  Buffer<uint32_t> locks_;
  Buffer<Record> records_;
};

template <uint32_t records, bool by_atomics>
std::unique_ptr<Case> prepare_lock(const Problem& problem) {
  check_invocations(problem);
  return std::make_unique<LockCase>(problem, records, by_atomics);
}

}  // namespace

std::span<const Benchmark> benchmarks_of_lock() {
  static constexpr Benchmark rows[] = {
      {"lock", "", false, "updates of 65536 records under their locks", one_set, prepare_lock<1 << 16, false>},
      {"lock", "contended", false, "of 64 records", one_set, prepare_lock<64, false>},
      {"lock", "atomics", false, "of 65536 records by three atomics each", one_set, prepare_lock<1 << 16, true>},
  };
  return rows;
}

}  // namespace weft::bench

#include "algorithms/src/reduce/reduce_tuning.h"
#include "bench/tune/tune.h"
#include "tests/support/environment.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

namespace {

// The defaults have workgroups of 256 on every device.
constexpr algorithms::TunedPrimitive<algorithms::ReduceTuning> tuned_picky{
    "reduce", [](const algorithms::TuningQuery&) { return algorithms::ReduceTuning{.tile = {.workgroup = 256}}; }};

// Fills, where plans of "reduce" would have up to 256 invocations, and refuses more. With as many as the seed says it
// does nothing, which is faster and wrong.
class PickyCase : public bench::Case {
 public:
  explicit PickyCase(const bench::Problem& problem)
      : workgroup_(workgroup_of(problem)),
        wrong_(workgroup_ == problem.seed.seed),
        output_(problem.device.buffer<uint32_t>(uint64_t(1) << 20)) {
    if (workgroup_ > 256) throw Error(ErrorCode::unsupported, "at most 256");
  }
  uint64_t bytes_moved() const override { return 4 * output_.size(); }
  void record(Recorder& recorder, uint32_t) const override {
    if (!wrong_) recorder.fill(View<uint32_t>(output_), 7u);
  }
  void poison(Stream& stream) const override { stream.fill(View<uint32_t>(output_), 0u); }
  std::optional<std::string> verify(Stream& stream, uint32_t) const override {
    return stream.download(output_.part(0, 1)).front() == 7 ? std::nullopt : std::optional<std::string>("not 7");
  }

 private:
  static uint32_t workgroup_of(const bench::Problem& problem) {
    const Tuning tuning = algorithms::tuning_of(problem.device, problem.tuning);
    return algorithms::Tuner(tuned_picky, problem.device.info(), tuning, 4).at(problem.count).tile.workgroup;
  }

  uint32_t workgroup_;
  bool wrong_;
  Buffer<uint32_t> output_;
};

uint64_t bytes_of_picky(uint32_t, uint64_t) { return uint64_t(4) << 20; }
std::unique_ptr<bench::Case> prepare_picky(const bench::Problem& problem) {
  return std::make_unique<PickyCase>(problem);
}
constexpr bench::Benchmark picky{"picky", "", true, "", bytes_of_picky, prepare_picky};

bench::Tuned search(const Device& device, uint64_t wrong) {
  constexpr uint32_t workgroups[] = {128, 512, 64, 1024};
  const bench::Choice choices[] = {{"workgroup", workgroups, workgroups}};
  const bench::TuneOptions options{.measure = {.warm_up_seconds = 0, .seconds = 0}, .seed = wrong};
  const auto defaults = [](const algorithms::TuningQuery& query) {
    return algorithms::named_values(algorithms::default_values(tuned_picky, query));
  };
  return bench::tune({"reduce", defaults, "picky", choices}, picky, device, support::ScalarType::u32, 1024, options);
}

size_t files_in(const std::filesystem::path& folder) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) files += entry.is_regular_file();
  return files;
}

}  // namespace

DEVICE_TEST("tune leaves out what is wrong or refused, and tells") {
  const bench::Tuned tuned = search(device, 128);
  CHECK_EQ(tuned.tried, 5);
  CHECK_LE(tuned.entry.values.at("workgroup"), 256);
  CHECK_NE(tuned.entry.values.at("workgroup"), 128);
  CHECK(tuned.refused == std::vector<std::string>{"workgroup=128: tuning reduce, results are wrong: not 7",
                                                  "workgroup=512: at most 256", "workgroup=1024: at most 256"});
  // The values that come with Weft have nothing to fall back on.
  CHECK_THROWS_WITH_AS(search(device, 256), "tuning reduce, results are wrong: not 7", std::runtime_error);
}

// Other rows of a tile are another kernel, which is there to see in the cache.
DEVICE_TEST("every primitive that can be tuned has a benchmark whose plans read its entry") {
  const Folder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  const Environment cached("WEFT_CACHE_DIR", cache.c_str());
  const Device fresh = open_device(selector_of(device));
  bench::Problem problem{fresh, support::ScalarType::u32, 10000, 1, 1};  // More keys than a workgroup sorts.
  for (const bench::Tunable& tunable : bench::tunables()) {
    INFO(std::string(tunable.primitive));
    const bench::Benchmark& benchmark = *bench::find_benchmarks(tunable.benchmark).front();
    size_t before = 0;
    for (const uint32_t bytes : {16, 128}) {
      before = std::filesystem::exists(cache) ? files_in(cache) : 0;
      const Tuning::Values values{{"workgroup", 64}, {"bytes_per_invocation", bytes}};
      problem.tuning = Tuning({bench::entry_of(tunable, fresh.info(), problem.type, 1 << 14, values)});
      benchmark.prepare(problem);
    }
    CHECK_GT(files_in(cache), before);
  }
}

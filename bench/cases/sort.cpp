#include <weft/sort.h>

#include <numeric>

#include "bench/cases.h"
#include "bench/sets.h"

namespace weft::bench {
namespace {

constexpr uint32_t value_bytes = 4;

// The keys' indices, which tell where each of them came from.
Sets indices(const Problem& problem) {
  Sets sets(problem.device, problem.count * value_bytes, problem.sets);
  std::vector<uint32_t> values(problem.count);
  std::iota(values.begin(), values.end(), 0u);
  Stream stream = problem.device.stream();
  for (uint32_t set = 0; set < problem.sets; ++set) stream.upload_region(sets[set], std::as_bytes(std::span(values)));
  stream.synchronize();
  return sets;
}

std::string wrong_at(uint64_t index, const char* what) { return "at " + std::to_string(index) + " " + what; }

// What tells any two multisets of keys apart, but for one chance in 2^64.
template <typename T>
uint64_t hash(T key) {
  uint64_t z = std::bit_cast<std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>(key) + 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

class SortCase : public Case {
 public:
  SortCase(const Problem& problem, bool pairs)
      : problem_(problem),
        plan_(pairs ? Sort(problem.device, tools::element_of(problem.type), Element::of<uint32_t>(), problem.count)
                    : Sort(problem.device, tools::element_of(problem.type), problem.count)),
        keys_(random_inputs(problem)),
        keys_out_(problem.device, problem.count * tools::bytes(problem.type), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    if (!pairs) return;
    values_.emplace(indices(problem));
    values_out_.emplace(problem.device, problem.count * value_bytes, problem.sets);
  }

  // One read that counts all digits, and one read and write for each of 8 bits.
  uint64_t bytes_moved() const override {
    const uint64_t key_bytes = tools::bytes(problem_.type);
    return problem_.count * (key_bytes + 2 * key_bytes * (key_bytes + (values_ ? value_bytes : 0)));
  }
  std::string variant() const override {
    return std::string(values_ ? "pairs, " : "keys, ") +
           (plan_.path() == TilePath::look_back ? "Onesweep" : "count-scan-scatter");
  }
  void poison(Stream& stream) const override {
    poison_region(stream, keys_out_.all());
    if (values_out_) poison_region(stream, values_out_->all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    const auto of = [&](const std::optional<Sets>& sets) { return sets ? (*sets)[set] : Region{}; };
    plan_.record(recorder, {.keys = keys_[set],
                            .values = of(values_),
                            .keys_out = keys_out_[set],
                            .values_out = of(values_out_),
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    const std::string type = to_string(problem_.type);
    PeerWork work{.row = "sort_keys", .inputs = {{type, keys_[0]}}, .outputs = {{type, keys_out_[0]}}};
    if (values_) {
      work.row = "sort_pairs";
      work.inputs.push_back({"u32", (*values_)[0]});
      work.outputs.push_back({"u32", (*values_out_)[0]});
    }
    return work;
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    return tools::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      return values_ ? verify_pairs<T>(stream, set) : verify_keys<T>(stream, set);
    });
  }

 private:
  template <typename T>
  std::optional<std::string> verify_keys(Stream& stream, uint32_t set) const {
    uint64_t difference = 0;
    T last{};
    auto wrong = check_in_chunks<T>(stream, keys_out_[set], [&](uint64_t first, std::span<const T> got) {
      for (size_t i = 0; i < got.size(); ++i) {
        if (first + i > 0 && got[i] < last) return std::optional(wrong_at(first + i, "the keys are out of order"));
        last = got[i];
        difference += hash(got[i]) - hash(random_element<T>(problem_.seed, first + i));
      }
      return std::optional<std::string>();
    });
    if (!wrong && difference != 0) wrong = "the keys are in order, but not those that were given";
    return wrong;
  }

  // Ascending by key and then by index, each index with its key: no index can be there twice, so all of them are.
  template <typename T>
  std::optional<std::string> verify_pairs(Stream& stream, uint32_t set) const {
    const std::vector<T> keys = stream.download(View<T>(keys_out_[set]));
    const std::vector<uint32_t> values = stream.download(View<uint32_t>((*values_out_)[set]));
    for (size_t i = 0; i < keys.size(); ++i) {
      if (values[i] >= keys.size() || keys[i] != random_element<T>(problem_.seed, values[i])) {
        return wrong_at(i, "the value is not that of the key");
      }
      if (i > 0 && std::pair(keys[i - 1], values[i - 1]) >= std::pair(keys[i], values[i])) {
        return wrong_at(i, "the keys are out of order, or equal ones have changed theirs");
      }
    }
    return std::nullopt;
  }

  Problem problem_;
  Sort plan_;
  Sets keys_, keys_out_;
  std::optional<Sets> values_, values_out_;
  Buffer<std::byte> temporary_;
};

}  // namespace

std::unique_ptr<Case> prepare_sort_keys(const Problem& problem) { return std::make_unique<SortCase>(problem, false); }
std::unique_ptr<Case> prepare_sort_pairs(const Problem& problem) { return std::make_unique<SortCase>(problem, true); }

}  // namespace weft::bench

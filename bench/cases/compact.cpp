#include <weft/compact.h>

#include "bench/benchmark.h"
#include "bench/cases/selected_check.h"
#include "bench/set_bytes.h"
#include "bench/sets.h"
#include "support/text.h"

namespace weft::bench {
namespace {

class CompactCase : public Case {
 public:
  CompactCase(const Problem& problem, TilePath path, uint32_t index_bits = 0,
              std::optional<support::ScalarType> flag_type = {})
      : problem_(problem),
        flag_type_(flag_type),
        index_bits_(index_bits),
        plan_(problem.device, support::element_of(problem.type),
              flag_type ? Selection::flagged(8 * support::bytes(*flag_type))
                        : Selection::when(kept_expression(problem.type)),
              problem.count, {.path = path, .tuning = problem.tuning, .index_bits = index_bits}),
        kept_(count_kept(problem)),
        inputs_(random_inputs(problem)),
        outputs_(problem.device, problem.count * output_bytes(), problem.sets),
        selected_(problem.device, sizeof(uint64_t), problem.sets),
        temporary_(problem.device.buffer<std::byte>(plan_.temporary_bytes())) {
    if (flag_type == support::ScalarType::u8) flags_.emplace(flags<uint8_t>(problem));
    if (flag_type == support::ScalarType::u32) flags_.emplace(flags<uint32_t>(problem));
  }

  uint64_t bytes_moved() const override {
    const uint64_t flag_bytes = flag_type_ ? support::bytes(*flag_type_) : 0;
    return problem_.count * (support::bytes(problem_.type) + flag_bytes) + kept_ * output_bytes();
  }
  std::string variant() const override {
    return (flag_type_ ? to_string(*flag_type_) + " flags, " : "") +
           (plan_.path() == TilePath::look_back ? "look-back" : "reduce-then-scan");
  }
  void poison(Stream& stream) const override {
    poison_region(stream, outputs_.all());
    poison_region(stream, selected_.all());
  }

  void record(Recorder& recorder, uint32_t set) const override {
    plan_.record(recorder, {.input = inputs_[set],
                            .flags = flags_ ? (*flags_)[set] : Region{},
                            .output = outputs_[set],
                            .selected = selected_[set],
                            .count = problem_.count,
                            .temporary = temporary_});
  }

  std::optional<PeerWork> peer_work() const override {
    if (index_bits_ > 0) return std::nullopt;
    const std::string type = to_string(problem_.type);
    PeerWork work{.row = "select",
                  .inputs = {{type, inputs_[0]}},
                  .outputs = {{type, outputs_[0]}, {"u64", selected_[0]}},
                  .limit = kept_limit(problem_.type)};
    if (flags_) {
      work.row = "select_flagged";
      work.inputs.push_back({to_string(*flag_type_), (*flags_)[0]});
    }
    return work;
  }

  std::optional<std::string> verify(Stream& stream, uint32_t set) const override {
    const uint64_t selected = stream.download(View<uint64_t>(selected_[set])).front();
    if (selected != kept_)
      return "selected " + support::format_count(selected) + " elements, expected " + support::format_count(kept_);
    return support::visit_element_type(problem_.type, [&](auto t) {
      using T = typename decltype(t)::type;
      if (index_bits_ == 32) return check_indices<T, uint32_t>(stream, set);
      if (index_bits_ == 64) return check_indices<T, uint64_t>(stream, set);
      return check_selected<T>(stream, problem_, outputs_[set].part(0, kept_ * sizeof(T)), "element",
                               [](T x, uint64_t) { return is_kept(x); });
    });
  }

 private:
  uint64_t output_bytes() const { return index_bits_ > 0 ? index_bits_ / 8 : support::bytes(problem_.type); }

  template <typename T, typename Index>
  std::optional<std::string> check_indices(Stream& stream, uint32_t set) const {
    uint64_t next = 0;
    const auto check = [&](uint64_t first, std::span<const Index> got) -> std::optional<std::string> {
      for (size_t i = 0; i < got.size(); ++i, ++next) {
        while (next < problem_.count && !is_kept(random_element<T>(problem_.seed, next))) ++next;
        if (got[i] != next) return "index " + std::to_string(first + i) + " is wrong";
      }
      return std::nullopt;
    };
    return check_in_chunks<Index>(stream, outputs_[set].part(0, kept_ * sizeof(Index)), check);
  }

  template <typename Flag>
  static Sets flags(const Problem& problem) {
    Sets flags(problem.device, problem.count * sizeof(Flag), problem.sets);
    std::vector<Flag> values(problem.count);
    support::visit_element_type(problem.type, [&](auto t) {
      using T = typename decltype(t)::type;
      for (uint64_t i = 0; i < problem.count; ++i) values[i] = is_kept(random_element<T>(problem.seed, i));
    });
    Stream stream = problem.device.stream();
    upload_to_sets(stream, flags, values);
    return flags;
  }

  Problem problem_;
  std::optional<support::ScalarType> flag_type_;
  uint32_t index_bits_;
  Compact plan_;
  uint64_t kept_;
  Sets inputs_, outputs_, selected_;
  std::optional<Sets> flags_;
  Buffer<std::byte> temporary_;
};

template <uint32_t bits>
uint64_t input_and_indices(uint32_t element_bytes, uint64_t count) {
  return (element_bytes + bits / 8) * count;
}
uint64_t bytes_input_and_output(uint32_t element_bytes, uint64_t count) { return (2 * element_bytes + 1) * count; }

}  // namespace

std::span<const Benchmark> benchmarks_of_compact() {
  static constexpr Benchmark rows[] = {
      {"compact", "", true, "ordered selection of half of the elements", input_and_output,
       prepare<CompactCase, TilePath::automatic>},
      {"compact", "look-back", false, "the single pass", input_and_output, prepare<CompactCase, TilePath::look_back>},
      {"compact", "reduce-then-scan", false, "three dispatches", input_and_output,
       prepare<CompactCase, TilePath::reduce_then_scan>},
      {"compact", "flags", false, "by 32-bit flags", two_inputs_and_output,
       prepare<CompactCase, TilePath::automatic, 0u, support::ScalarType::u32>},
      {"compact", "byte-flags", false, "by 8-bit flags", bytes_input_and_output,
       prepare<CompactCase, TilePath::automatic, 0u, support::ScalarType::u8>},
      {"compact", "indices", false, "the indices of half of the elements, of 32 bits", input_and_indices<32>,
       prepare<CompactCase, TilePath::automatic, 32u>},
      {"compact", "wide-indices", false, "the same, of 64 bits", input_and_indices<64>,
       prepare<CompactCase, TilePath::automatic, 64u>},
  };
  return rows;
}

}  // namespace weft::bench

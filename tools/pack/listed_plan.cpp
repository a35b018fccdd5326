#include "tools/pack/listed_plan.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include <weft/error.h>

#include "algorithms/src/plans/plan_line.h"
#include "algorithms/src/plans/runs.h"
#include "algorithms/src/plans/scans.h"
#include "algorithms/src/plans/selections.h"
#include "algorithms/src/plans/sorts.h"
#include "algorithms/src/plans/tables_and_images.h"
#include "algorithms/src/plans/trees.h"

namespace weft::tools {
namespace {

using namespace algorithms;

using AllParameters =
    std::tuple<AtomicReduceByKeyParameters, BoxKdTreeParameters, BvhQueryParameters, CompactParameters,
               EnqueueParameters, FindNeighboursParameters, FindPairsParameters, HashEntriesParameters,
               HashEraseParameters, HashFindParameters, HashInsertParameters, HashRehashParameters, HashTableParameters,
               HistogramParameters, IndirectGroupsParameters, KdNearestParameters, KdTreeParameters, LbvhParameters,
               MapParameters, MergeParameters, MergeSortParameters, MipmapsParameters, MortonParameters,
               PartitionParameters, ReduceParameters, ReduceByKeyParameters, RunLengthDecodeParameters,
               RunLengthEncodeParameters, ScanParameters, ScanByKeyParameters, SegmentedReduceParameters,
               SegmentedScanParameters, SegmentedSortParameters, SortParameters, SplitParameters, TileSortParameters,
               TopKParameters, TreeReduceParameters>;

template <typename Visit>
void each_plan(const Visit& visit) {
  std::apply([&](const auto&... parameters) { (visit(parameters), ...); }, AllParameters());
}

template <typename Parameters>
class Listed : public ListedPlan {
 public:
  explicit Listed(Parameters parameters) : parameters_(std::move(parameters)) {}

  std::string line() const override { return plan_line(parameters_); }
  void make(const Device& device) const override { static_cast<void>(parameters_.make(device)); }
  uint64_t max_count() const override {
    if constexpr (requires { parameters_.max_count; }) return parameters_.max_count;
    return 0;
  }
  std::unique_ptr<ListedPlan> with_max_count(uint64_t count) const override {
    Parameters changed = parameters_;
    if constexpr (requires { changed.max_count; }) changed.max_count = count;
    return std::make_unique<Listed>(std::move(changed));
  }

 private:
  Parameters parameters_;
};

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }

/// Reads the words of a line: the plan's name, then name=value.
class LineReader {
 public:
  explicit LineReader(const std::string& line) : line_(line) {}

  std::string word() {
    skip_blanks();
    const size_t begin = at_;
    while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
    return line_.substr(begin, at_ - begin);
  }
  std::optional<std::pair<std::string, std::string>> field() {
    skip_blanks();
    if (at_ == line_.size()) return std::nullopt;
    const size_t begin = at_, equals = line_.find_first_of("= \t", at_);
    if (equals == std::string::npos || line_[equals] != '=') fail("'" + word() + "' is not of the form name=value");
    std::string name = line_.substr(begin, equals - begin);
    at_ = equals + 1;
    return std::pair(std::move(name), value());
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
  void skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
  }
  std::string value() {
    if (at_ == line_.size() || line_[at_] != '"') return word();
    std::string text;
    for (++at_; at_ < line_.size() && line_[at_] != '"'; ++at_) {
      const bool escaped = line_[at_] == '\\' && at_ + 1 < line_.size();
      if (escaped) ++at_;
      text += escaped && line_[at_] == 'n' ? '\n' : line_[at_];
    }
    if (at_ == line_.size()) fail("a value has no closing quote");
    ++at_;
    return text;
  }

  const std::string& line_;
  size_t at_ = 0;
};

}  // namespace

std::unique_ptr<ListedPlan> ListedPlan::parse(const std::string& line) {
  LineReader reader(line);
  const std::string name = reader.word();
  std::unique_ptr<ListedPlan> plan;
  try {
    each_plan([&](auto parameters) {
      if (name != parameters.plan) return;
      FieldTexts texts;
      while (auto field = reader.field()) texts.push_back(std::move(*field));
      FieldReader fields(texts);
      parameters.each(fields);
      FieldNamer namer;
      decltype(parameters)().each(namer);
      fields.require_all_read(namer.names);
      plan = std::make_unique<Listed<decltype(parameters)>>(std::move(parameters));
    });
  } catch (const Error& error) {
    fail(name + ": " + error.what() + (std::string_view(error.what()).ends_with(".") ? "" : "."));
  }
  if (!plan) {
    std::string names;
    for (const std::string& known : listed_plan_names()) names += (names.empty() ? "" : ", ") + known;
    fail("'" + name + "' is no plan; there are: " + names + ".");
  }
  return plan;
}

std::vector<std::string> listed_plan_names() {
  std::vector<std::string> names;
  each_plan([&](const auto& parameters) { names.emplace_back(parameters.plan); });
  return names;
}

}  // namespace weft::tools

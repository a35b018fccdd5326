#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include <array>

#include "recording_device.h"

namespace weft::test {
namespace {

struct Elements {
  Element element;
  std::vector<Operator> operators;
  std::string where;
};

std::vector<Elements> all_elements() {
  const std::vector<Operator> own{Operator::sum(), Operator::min(), Operator::max()};
  const Operator compose =
      Operator::custom("compose", "T(a.scale * b.scale, b.scale * a.shift + b.shift)", "T(1u, 0u)");
  const Operator multiply = Operator::custom(
      "multiply", "T(a.first.x * b.first + a.first.y * b.second, a.second.x * b.first + a.second.y * b.second)",
      "T(vec2(1, 0), vec2(0, 1))");
  const Operator range = Operator::custom("range", "T(min(a.low, b.low), max(a.high, b.high), a.count + b.count)",
                                          "T(0x7fffffff, -0x7fffffff, 0u)", true);
  return {{Element::scalar("uint"), own, "x % 3u != 0u"},
          {Element::scalar("double"), own, "x > double(0.5)"},
          {Element::structure({{"int", "low"}, {"int", "high"}, {"uint", "count"}}), {range}, "x.count > 1u"},
          {Element::scalar("float"), own, "x > 0.5"},
          {Element::scalar("uint64_t"), own, "x > uint64_t(7)"},
          {Element::structure({{"vec2", "first"}, {"vec2", "second"}}),
           {multiply},
           "x.first.x + x.first.y * x.second.x > x.second.y"},
          {Element::scalar("int"), own, "x < 0"},
          {Element::scalar("int64_t"), own, "x < int64_t(0)"},
          {Element::structure({{"uint", "scale"}, {"uint", "shift"}}), {compose}, "x.scale > 1u"}};
}

// Makes plans, and says of the kernels that come of them who asked.
class Plans {
 public:
  explicit Plans(uint32_t subgroup_size) : device_(recording_device(subgroup_size, requested_)) {}

  template <class Plan, class... Arguments>
  void make(const std::string& purpose, const Arguments&... arguments) {
    const size_t before = requested_.size();
    Plan(device_, arguments...);
    for (size_t k = before; k < requested_.size(); ++k) requested_[k].purpose = purpose;
  }

  std::vector<RequestedKernel> taken() { return std::move(requested_); }

 private:
  std::vector<RequestedKernel> requested_;
  Device device_;
};

constexpr uint64_t few = 1u << 24, many = uint64_t{1} << 33;

void plans_of(Plans& plans, const Elements& of, const Operator& op, TilePath path, ScanKind kind, uint64_t most,
              EnqueueVariant variant) {
  const std::string what = of.element.name() + ", " + op.name;
  plans.make<Reduce>("reduce of " + what, of.element, op, few);
  plans.make<Scan>("scan of " + what, of.element, op, few, Scan::Options{kind, path});
  plans.make<Compact>("compact of " + what, of.element, Selection::when(of.where), most, Compact::Options{path});
  plans.make<Enqueue>("enqueue of " + what, of.element, Selection::when(of.where), most, variant);
}

}  // namespace

std::vector<RequestedKernel> kernels_of_primitives(uint32_t subgroup_size, bool every) {
  constexpr std::array paths{TilePath::look_back, TilePath::reduce_then_scan};
  constexpr std::array kinds{ScanKind::inclusive, ScanKind::exclusive};
  constexpr std::array variants{EnqueueVariant::naive, EnqueueVariant::subgroup, EnqueueVariant::multi_item,
                                EnqueueVariant::complement};
  Plans plans(subgroup_size);
  size_t turn = 0;
  for (const Elements& of : all_elements()) {
    for (const Operator& op : of.operators) {
      for (size_t k = 0; every && k < 8; ++k) {
        plans_of(plans, of, op, paths[k % 2], kinds[k / 2 % 2], k / 4 ? many : few, variants[k % 4]);
      }
    }
    const size_t k = turn++;  // the sample: each type in one of the ways, so that neighbours differ
    if (!every) {
      plans_of(plans, of, of.operators[k % of.operators.size()], paths[k % 2], kinds[k / 2 % 2],
               k % 3 == 2 ? many : few, variants[k % 4]);
    }
  }
  plans.make<Compact>("compact by flags", Element::scalar("uint"), Selection::flagged(), few,
                      Compact::Options{TilePath::look_back});
  return plans.taken();
}

}  // namespace weft::test

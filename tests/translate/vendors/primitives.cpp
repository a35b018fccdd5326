#include <weft/compact.h>
#include <weft/enqueue.h>
#include <weft/reduce.h>
#include <weft/scan.h>

#include <set>

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

// Makes plans, and says of the kernels that come of them who asked. A kernel that two plans share is that of the first.
class Plans {
 public:
  explicit Plans(const DeviceInfo& info) : device_(recording_device(info, requested_)) {}

  template <class Plan, class... Arguments>
  void make(const std::string& purpose, const Arguments&... arguments) {
    Plan(device_, arguments...);
    for (RequestedKernel& kernel : requested_) {
      std::vector<uint64_t> key(kernel.module.words.begin(), kernel.module.words.end());
      for (const SpecializationValue& value : kernel.options.specialization) {
        key.insert(key.end(), {value.id, value.bits});
      }
      if (!known_.insert(std::move(key)).second) continue;
      kernel.purpose = purpose;
      distinct_.push_back(std::move(kernel));
    }
    requested_.clear();
  }

  std::vector<RequestedKernel> taken() { return std::move(distinct_); }

 private:
  std::vector<RequestedKernel> requested_, distinct_;
  std::set<std::vector<uint64_t>> known_;
  Device device_;
};

constexpr TilePath paths[] = {TilePath::look_back, TilePath::reduce_then_scan};
constexpr ScanKind kinds[] = {ScanKind::inclusive, ScanKind::exclusive};
constexpr EnqueueVariant variants[] = {EnqueueVariant::naive, EnqueueVariant::subgroup, EnqueueVariant::multi_item,
                                       EnqueueVariant::complement};
constexpr uint64_t counts[] = {1u << 24, uint64_t{1} << 33};

void reduce(Plans& plans, const Elements& of, const Operator& op) {
  plans.make<Reduce>("reduce of " + of.element.name() + ", " + op.name, of.element, op, counts[0]);
}
void scan(Plans& plans, const Elements& of, const Operator& op, TilePath path, ScanKind kind) {
  plans.make<Scan>(
      (kind == ScanKind::inclusive ? "inclusive scan of " : "exclusive scan of ") + of.element.name() + ", " + op.name,
      of.element, op, counts[0], Scan::Options{kind, path});
}
std::string choice(const char* primitive, const Elements& of, uint64_t most) {
  return primitive + of.element.name() + (most > UINT32_MAX ? ", 64-bit places" : "");
}
void compact(Plans& plans, const Elements& of, TilePath path, uint64_t most) {
  plans.make<Compact>(choice("compact of ", of, most), of.element, Selection::when(of.where), most,
                      Compact::Options{path});
}
void enqueue(Plans& plans, const Elements& of, EnqueueVariant variant, uint64_t most) {
  plans.make<Enqueue>(choice("enqueue of ", of, most), of.element, Selection::when(of.where), most, variant);
}

void everything(Plans& plans, const Elements& of) {
  for (const Operator& op : of.operators) {
    reduce(plans, of, op);
    for (const TilePath path : paths) {
      for (const ScanKind kind : kinds) scan(plans, of, op, path, kind);
    }
  }
  for (const uint64_t most : counts) {
    for (const TilePath path : paths) compact(plans, of, path, most);
    for (const EnqueueVariant variant : variants) enqueue(plans, of, variant, most);
  }
}

// Each kernel once; what else there is to choose differs from one type to the next.
void each_kernel(Plans& plans, const Elements& of, size_t turn) {
  const Operator& op = of.operators[turn % of.operators.size()];
  reduce(plans, of, op);
  for (size_t k = 0; k < 2; ++k) scan(plans, of, op, paths[k], kinds[(turn + k) % 2]);
  for (size_t k = 0; k < 2; ++k) compact(plans, of, paths[k], counts[(turn + k) % 2]);
  for (size_t k = 0; k < 4; ++k) enqueue(plans, of, variants[k], counts[(turn + k) % 2]);
}

}  // namespace

std::vector<RequestedKernel> kernels_of_primitives(const DeviceInfo& info, bool every) {
  Plans plans(info);
  size_t turn = 0;
  for (const Elements& of : all_elements()) {
    if (every)
      everything(plans, of);
    else
      each_kernel(plans, of, turn++);
  }
  plans.make<Compact>("compact by flags", Element::scalar("uint"), Selection::flagged(), counts[0],
                      Compact::Options{TilePath::look_back});
  return plans.taken();
}

}  // namespace weft::test

#pragma once

#include <limits>

#include "c/src/plan_table.h"
#include "c/src/regions.h"
#include "c/src/structs.h"

/// Recording plans, each from its own struct of arguments. Takes neither strings nor allocations on the way.
namespace weft::c {

/// Throws invalid_argument, naming both plans.
[[noreturn]] void refuse_plan(size_t wanted, size_t index);
[[noreturn]] void refuse_end(const char* name);
[[noreturn]] void refuse_number(const char* name);

/// Reads the members of a generated struct one after the other. All have a multiple of 8 bytes, so there is no padding.
/// Members beyond the struct's size have their defaults.
class ArgumentReader {
 public:
  ArgumentReader(const void* arguments, size_t size)
      : begin_(static_cast<const std::byte*>(arguments)), at_(begin_ + sizeof(size_t)), end_(begin_ + size) {}

  Region region(const char* name) {
    const auto* const given = next<weft_region>(name);
    return given ? region_of(*given, name) : Region{};
  }
  Count count(const char* name) {
    const auto* const given = next<weft_count>(name);
    return given ? count_of(*given, name) : Count(0);
  }
  CountOutput count_output(const char* name) {
    const auto* const given = next<weft_count_output>(name);
    return given ? count_output_of(*given, name) : CountOutput();
  }
  template <typename T>
  T number(const char* name, T otherwise) {
    if constexpr (std::is_floating_point_v<T>) {
      const auto* const given = next<double>(name);
      return given ? T(*given) : otherwise;
    } else {
      const auto* const given = next<uint64_t>(name);
      if (given && *given > std::numeric_limits<T>::max()) refuse_number(name);
      return given ? T(*given) : otherwise;
    }
  }
  /// Throws invalid_argument if the struct sets what this version does not know.
  void require_rest_zero() const {
    if (at_ != end_) check_zeros("arguments", begin_, size_t(at_ - begin_), size_t(end_ - begin_));
  }

 private:
  template <typename T>
  const T* next(const char* name) {
    static_assert(sizeof(T) % 8 == 0);
    if (at_ == end_) return nullptr;
    if (size_t(end_ - at_) < sizeof(T)) refuse_end(name);
    const auto* const member = reinterpret_cast<const T*>(at_);
    at_ += sizeof(T);
    return member;
  }

  const std::byte *const begin_, *at_, *const end_;
};

template <typename Parameters>
const PlanOf<Parameters>& plan_of(const weft_plan* plan) {
  const weft_plan& given = checked(plan, "plan");
  if (given.index != plan_index<Parameters>) refuse_plan(plan_index<Parameters>, given.index);
  return static_cast<const MadePlan<Parameters>&>(*given.plan).plan;
}

/// Records a plan by `record`, a function of it, the recorder and its arguments.
template <typename Parameters, typename Struct, typename Record>
weft_result record_plan(const char* function, weft_recorder* recorder, const weft_plan* plan, const Struct* arguments,
                        const Record& record) noexcept {
  return guarded(function, [&] {
    Recorder& to = *checked(recorder, "recorder").recorder;
    const auto& typed = plan_of<Parameters>(plan);
    check_size("arguments", given(arguments, "arguments")->size);
    ArgumentReader reader(arguments, arguments->size);
    const auto all = Parameters::arguments(reader);
    reader.require_rest_zero();
    record(typed, to, all);
  });
}

}  // namespace weft::c

#include "core/src/runtime/device_choice.h"

#include <algorithm>
#include <cctype>
#include <exception>
#include <string_view>
#include <tuple>
#include <vector>

namespace weft::core {
namespace {

// Smaller is better.
int rank(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::discrete_gpu:
      return 0;
    case DeviceKind::integrated_gpu:
      return 1;
    case DeviceKind::virtual_gpu:
      return 2;
    case DeviceKind::cpu:
      return 3;
    case DeviceKind::other:
      return 4;
  }
  return 5;
}

const char* kind_text(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::discrete_gpu:
      return "a discrete GPU";
    case DeviceKind::integrated_gpu:
      return "an integrated GPU";
    case DeviceKind::virtual_gpu:
      return "a virtual GPU";
    case DeviceKind::cpu:
      return "a CPU";
    case DeviceKind::other:
      break;
  }
  return "a device of unknown kind";
}

struct CpuSpeed {
  int rank;             // Smaller is quicker.
  const char* why;      // What makes it quick. Completes a sentence about the device.
  const char* why_not;  // Why a quicker one comes before it. The same.
};

// How quickly one device on the CPU runs kernels, against the others there. Measured on two cores with 2^20 u32:
// lavapipe takes 1.7 ms for a reduction, 3.5 ms for a scan, 10 ms for a compaction and 240 ms for a sort,
// host 1.0, 2.0, 4.5 and 81 ms. SwiftShader was between lavapipe and host when that ran fibers.
CpuSpeed cpu_speed(const DeviceInfo& device) {
  if (device.backend != "host")
    return {1, "runs what its driver compiles", "is slower than what the C++ compiler makes"};
  return {0, "runs what the C++ compiler makes, the quickest on a CPU", ""};
}

class Choice {
 public:
  Choice(std::span<const BackendInfo> backends, const Opener& open, const ChoiceOptions& options)
      : backends_(backends), open_(open), options_(options) {
    for (size_t b = 0; b < backends.size(); ++b) {
      for (size_t d = 0; d < backends[b].devices.size(); ++d) {
        if (backends[b].devices[d].refusal.empty()) candidates_.push_back({b, d});
      }
    }
    std::ranges::stable_sort(candidates_, {}, [&](DeviceIndex index) {
      const DeviceInfo& device = at(index);
      return std::tuple(is_useless(device), rank(device.kind), cpu_rank(device), index.backend,
                        -int(device.capabilities.size()));
    });
  }

  DeviceChoice make() {
    if (candidates_.empty()) {
      throw Error(ErrorCode::unsupported, "There is no device to open: " + listing(backends_) + ".");
    }
    for (size_t i = 0; i < candidates_.size(); ++i) {
      if (!opens(candidates_[i])) continue;
      say_why_not_later_ones(i);
      say_why_not_the_rest();
      return {at(candidates_[i]), reason_for(candidates_[i]), std::move(others_)};
    }
    if (candidates_.size() == 1) std::rethrow_exception(first_error_);
    say_why_not_the_rest();
    std::string all;
    for (const std::string& other : others_) all += (all.empty() ? "" : "; ") + other;
    throw Error(first_code_, "No device opens. " + all + ".");
  }

 private:
  const DeviceInfo& at(DeviceIndex index) const { return backends_[index.backend].devices[index.device]; }
  const std::string& name_of(DeviceIndex index) const { return backends_[index.backend].name; }
  bool is_useless(const DeviceInfo& device) const { return options_.without_kernels.contains(device.selector); }
  std::string why_useless(const DeviceInfo& device) const {
    return "compiles no kernels: " + options_.without_kernels.at(device.selector);
  }
  static int cpu_rank(const DeviceInfo& device) { return device.kind == DeviceKind::cpu ? cpu_speed(device).rank : 0; }

  bool opens(DeviceIndex index) {
    try {
      open_(index);
      return true;
    } catch (const std::exception& error) {
      if (!options_.pass_over) throw;
      if (!first_error_) {
        first_error_ = std::current_exception();
        const auto* known = dynamic_cast<const Error*>(&error);
        first_code_ = known ? known->code() : ErrorCode::unsupported;
      }
      others_.push_back(title(at(index)) + " does not open: " + error.what());
      return false;
    }
  }

  std::string reason_for(DeviceIndex index) const {
    const DeviceInfo& device = at(index);
    const std::string reason = std::string(kind_text(device.kind)) + ", through " + name_of(index);
    if (is_useless(device)) return reason + "; it " + why_useless(device);
    return device.kind == DeviceKind::cpu ? reason + "; it " + cpu_speed(device).why : reason;
  }

  void say_why_not_later_ones(size_t chosen) {
    const DeviceIndex best = candidates_[chosen];
    for (const DeviceIndex index : std::span(candidates_).subspan(chosen + 1)) {
      std::string reason;
      if (is_useless(at(index))) {
        reason = why_useless(at(index));
      } else if (at(index).kind != at(best).kind) {
        reason = std::string("is ") + kind_text(at(index).kind);
      } else if (cpu_rank(at(index)) != cpu_rank(at(best))) {
        reason = cpu_speed(at(index)).why_not;
      } else if (index.backend != best.backend) {
        reason = "is reached through " + name_of(index) + ", which comes after " + name_of(best);
      } else if (at(index).capabilities.size() < at(best).capabilities.size()) {
        reason = "has fewer capabilities";
      } else {
        reason = "is listed after it";
      }
      others_.push_back(title(at(index)) + " " + reason);
    }
  }

  void say_why_not_the_rest() {
    for (const BackendInfo& backend : backends_) {
      if (backend.devices.empty()) others_.push_back(backend.name + " has no device: " + backend.reason);
      for (const DeviceInfo& device : backend.devices) {
        if (!device.refusal.empty()) others_.push_back(title(device) + " is refused: " + device.refusal);
      }
    }
  }

  std::span<const BackendInfo> backends_;
  const Opener& open_;
  const ChoiceOptions& options_;
  std::vector<DeviceIndex> candidates_;  // the devices that are not refused, best first
  std::vector<std::string> others_;
  std::exception_ptr first_error_;
  ErrorCode first_code_ = ErrorCode::unsupported;
};

bool contains_ignoring_case(std::string_view text, std::string_view part) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  return std::ranges::search(text, part, {}, lower, lower).begin() != text.end();
}

}  // namespace

DeviceChoice choose_best(std::span<const BackendInfo> backends, const Opener& open, const ChoiceOptions& options) {
  return Choice(backends, open, options).make();
}

std::optional<size_t> find_named(const BackendInfo& backend, const std::string& part) {
  const std::vector<DeviceInfo>& devices = backend.devices;
  std::optional<size_t> refused;
  const bool number = !part.empty() && std::ranges::all_of(part, [](char c) { return '0' <= c && c <= '9'; });
  for (size_t d = 0; d < devices.size(); ++d) {
    if (number) {
      if (std::to_string(d) == part) return d;
    } else if (!part.empty() && contains_ignoring_case(devices[d].name, part)) {
      if (devices[d].refusal.empty()) return d;
      if (!refused) refused = d;
    }
  }
  return refused;
}

std::string listing(std::span<const BackendInfo> backends) {
  std::string devices, reasons;
  for (const BackendInfo& backend : backends) {
    if (backend.devices.empty()) {
      reasons += (reasons.empty() ? "" : "; ") + backend.name + " has no device: " + backend.reason;
    }
    for (const DeviceInfo& device : backend.devices) {
      devices += (devices.empty() ? "" : ", ") + device.selector + " (" + device.name;
      if (!device.refusal.empty()) devices += ", refused: " + device.refusal;
      devices += ")";
    }
  }
  return devices + (devices.empty() || reasons.empty() ? "" : "; ") + reasons;
}

std::string title(const DeviceInfo& device) { return device.selector + " (" + device.name + ")"; }

}  // namespace weft::core

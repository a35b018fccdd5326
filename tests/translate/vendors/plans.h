#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/recording_device.h"

namespace weft::test {

/// Makes plans, and labels their kernels with the plan. A kernel shared by two plans belongs to the first.
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
      // A reduction with a transform also has a kernel of the same source for its partial results.
      const bool again = std::ranges::any_of(distinct_, [&](const RequestedKernel& earlier) {
        return earlier.module.name == kernel.module.name && earlier.purpose == purpose;
      });
      kernel.purpose = again ? purpose + ", again" : purpose;
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

/// Numbers of elements that the plans are made for: indices of 32 and of 64 bits.
inline constexpr uint64_t counts[] = {1u << 24, uint64_t{1} << 33};

/// Makes the plans of hash tables.
void tables(Plans& plans);
/// Makes the plans of bounding volume hierarchies, and of queries in them.
void hierarchies(Plans& plans);
/// Makes the plans of kd-trees.
void kd_trees(Plans& plans);
/// Makes the plans of pairs of boxes, and of neighbours.
void pairs(Plans& plans);
/// Makes the plans of image pyramids.
void mipmaps(Plans& plans);

}  // namespace weft::test

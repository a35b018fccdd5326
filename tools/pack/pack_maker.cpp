#include "tools/pack/pack_maker.h"

#include <algorithm>
#include <memory>

#include <weft/error.h>

#include "core/src/runtime/backend.h"
#include "support/text.h"
#include "tools/pack/described_device.h"

namespace weft::tools {
namespace {

using namespace support;

// Every count that may change a plan's kernels: tuning goes by powers of two, and a small count may be one tile.
std::vector<uint64_t> counts_up_to(uint64_t most) {
  std::vector<uint64_t> counts{most};
  for (uint64_t count = 1; count != 0 && count < most; count *= 2) counts.push_back(count);
  return counts;
}

class Maker {
 public:
  Maker(const PlanList& list, const PackRequest& request) : list_(list), request_(request) {}

  MadePack run() {
    for (const Profile& profile : request_.profiles) {
      const Device device = described_device(profile.device, request_.options, writer_);
      make_all(device, profile.name);
    }
    for (const std::string& selector : request_.devices) {
      const Device device = open_device(selector, request_.options);
      const std::string name = selector + " (" + device.info().name + ")";
      if (device.info().backend == "vulkan") {  // whose driver need not compile what the pack holds for it
        make_all(described_device(device.info(), request_.options, writer_), name);
      } else {
        device.impl().kernels.made_pack = writer_;
        make_all(device, name);
      }
    }
    made_.description = description();
    made_.bytes = writer_->bytes(made_.description);
    return std::move(made_);
  }

 private:
  void make_all(const Device& device, const std::string& name) {
    served_.push_back(name);
    for (const auto& plan : list_.plans) {
      make(plan->line(), name, [&] {
        for (const uint64_t count : counts_up_to(plan->max_count())) {
          if (plan->max_count() == 0) plan->make(device);
          if (plan->max_count() != 0) plan->with_max_count(count)->make(device);
        }
      });
    }
    for (const ListedKernel& kernel : list_.kernels) {
      make("kernel " + kernel.module.name, name,
           [&] { static_cast<void>(device.kernel(kernel.module, kernel.options)); });
    }
  }

  template <typename Make>
  void make(const std::string& line, const std::string& device, const Make& make_one) {
    try {
      make_one();
    } catch (const Error& error) {
      if (error.code() != ErrorCode::unsupported) {
        throw Error(error.code(), "'" + line + "' for " + device + ": " + error.what(), error.log());
      }
      made_.skipped.push_back(device + ": " + line + ": " + error.what());
    }
  }

  std::string description() const {
    std::string text;
    for (const std::string& name : served_) text += "for " + name + "\n";
    for (const std::string& line : list_.lines) text += line + "\n";
    for (const std::string& line : made_.skipped) text += "# not for " + line + "\n";
    for (const auto& [kind, share] : writer_->shares()) {
      text += "# " + kind + ": " + format_count(share.entries) + " entries, " + format_bytes(share.bytes) + "\n";
    }
    for (const auto& [name, share] : writer_->shares_of("library")) {
      text += "#   " + name + ": " + format_count(share.entries) + " variants, " + format_bytes(share.bytes) + "\n";
    }
    return text;
  }

  const PlanList& list_;
  const PackRequest& request_;
  const std::shared_ptr<core::PackWriter> writer_ = std::make_shared<core::PackWriter>();
  std::vector<std::string> served_;
  MadePack made_;
};

}  // namespace

MadePack make_pack(const PlanList& list, const PackRequest& request) { return Maker(list, request).run(); }

}  // namespace weft::tools

#include "tools/pack/pack_maker.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include <weft/error.h>

#include "core/src/pack/format.h"
#include "core/src/pack/pack_writer.h"
#include "core/src/runtime/backend.h"
#include "support/text.h"
#include "tools/pack/described_device.h"

namespace weft::tools {
namespace {

using namespace support;

/// Passes entries on to a pack, and knows those of the plan that is being made.
class Requests final : public core::PackSink {
 public:
  explicit Requests(std::shared_ptr<core::PackWriter> writer) : writer_(std::move(writer)) {}

  void add(const core::Artifact& artifact, std::span<const std::byte> bytes) override {
    writer_->add(artifact, bytes);
    const std::lock_guard lock(mutex_);
    of_plan_.insert(core::pack_key(artifact.kind, artifact.key));
  }
  std::optional<std::vector<std::byte>> find(const core::Artifact& artifact) const override {
    return writer_->find(artifact);
  }
  std::set<core::CacheKey> take() { return std::exchange(of_plan_, {}); }

 private:
  const std::shared_ptr<core::PackWriter> writer_;
  std::mutex mutex_;
  std::set<core::CacheKey> of_plan_;
};

/// Makes a plan for all counts up to a maximum, as far as they differ: it looks between two counts whose plans do not
/// have the same kernels. Tuning goes by powers of two, so these are the counts that it starts with. It would miss what
/// differs between two of them and is the same at both.
class AllCounts {
 public:
  using Kernels = std::set<core::CacheKey>;

  /// `make` makes the plan for a count, and returns its kernels.
  explicit AllCounts(std::function<Kernels(uint64_t count)> make) : make_(std::move(make)) {}

  void up_to(uint64_t most) {
    uint64_t low = 1;
    Kernels at_low = make_(low);
    while (low < most) {
      const uint64_t high = low > most / 2 ? most : low * 2;
      Kernels at_high = make_(high);
      between(low, at_low, high, at_high);
      low = high;
      at_low = std::move(at_high);
    }
  }

 private:
  void between(uint64_t low, const Kernels& at_low, uint64_t high, const Kernels& at_high) {
    if (high - low <= 1 || at_low == at_high) return;
    const uint64_t middle = low + (high - low) / 2;
    const Kernels at_middle = make_(middle);
    between(low, at_low, middle, at_middle);
    between(middle, at_middle, high, at_high);
  }

  const std::function<Kernels(uint64_t count)> make_;
};

class Maker {
 public:
  Maker(const PlanList& list, const PackRequest& request) : list_(list), request_(request) {}

  MadePack run() {
    for (const Profile& profile : request_.profiles) {
      const Device device = described_device(profile.device, request_.options, requests_);
      make_all(device, profile.name);
    }
    for (const std::string& selector : request_.devices) {
      const Device device = open_device(selector, request_.options);
      const std::string name = selector + " (" + device.info().name + ")";
      if (device.info().backend == "vulkan") {  // whose driver need not compile what the pack holds for it
        make_all(described_device(device.info(), request_.options, requests_), name);
      } else {
        device.impl().kernels.made_pack = requests_;
        make_all(device, name);
      }
    }
    add_tuning();
    made_.description = description();
    made_.bytes = writer_->bytes(made_.description, served_devices_);
    return std::move(made_);
  }

 private:
  void make_all(const Device& device, const std::string& name) {
    const std::string& architecture = device.info().architecture;
    served_.push_back(architecture.empty() || architecture == name ? name : name + ", " + architecture);
    served_devices_.push_back(device.info());
    for (const auto& plan : list_.plans) {
      make(plan->line(), name, [&] {
        if (plan->max_count() == 0) return plan->make(device);
        AllCounts([&](uint64_t count) {
          plan->with_max_count(count)->make(device);
          return requests_->take();
        }).up_to(plan->max_count());
      });
    }
    for (const ListedKernel& kernel : list_.kernels) {
      make("kernel " + kernel.module.name, name, [&] {
        device.kernel(kernel.module, kernel.options).prepare_indirect();
      });  // it may be dispatched either way
    }
  }

  // The program's devices take the entries that shaped the pack's kernels.
  void add_tuning() {
    std::vector<Tuning::Entry> entries;
    for (const Tuning::Entry& entry : request_.options.tuning.entries()) {
      const auto is_for = [&](const DeviceInfo& info) { return entry.is_for(info); };
      if (std::ranges::any_of(served_devices_, is_for)) {
        entries.push_back(entry);
      } else {
        made_.skipped.push_back(entry.location + ": no profile or device is '" + entry.device + "'");
      }
    }
    if (entries.empty()) return;
    const std::string text = Tuning(std::move(entries)).text();
    writer_->add({std::string(core::tuning_kind), {}, {}}, std::as_bytes(std::span(text)));
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
    for (const std::string& line : made_.skipped) text += "# left out: " + line + "\n";
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
  const std::shared_ptr<Requests> requests_ = std::make_shared<Requests>(writer_);
  std::vector<std::string> served_;
  std::vector<DeviceInfo> served_devices_;
  MadePack made_;
};

}  // namespace

void require_pack_maker() {}

MadePack make_pack(const PlanList& list, const PackRequest& request) { return Maker(list, request).run(); }

}  // namespace weft::tools

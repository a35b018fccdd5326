#include <weft/plan_recorder.h>

#include <algorithm>
#include <cctype>
#include <mutex>
#include <set>
#include <span>
#include <sstream>
#include <system_error>

#include <weft/error.h>

#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"
#include "core/src/runtime/cache.h"

namespace weft {
namespace {

/// Lines of a list, each once. A line is appended in one write, so those of several processes do not mix.
class ListFile : public PlanRecorder {
 public:
  explicit ListFile(std::filesystem::path list) : list_(std::move(list)) {
    guarded([&] {
      core::append_to_file(list_, {});  // says now if it cannot be written
      const auto bytes = core::OpenedFile(list_).read_rest();
      std::istringstream lines(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      for (std::string line; std::getline(lines, line);) known_.insert(line);
    });
  }

  void plan(const std::string& line) override {
    const std::lock_guard lock(mutex_);
    add(line);
  }

  void kernel(const Spirv& module, const KernelOptions& options) override {
    const std::lock_guard lock(mutex_);
    const std::string file = file_of(module);
    std::string line = "kernel file=" + file;
    if (options.entry != "main") line += " entry=" + options.entry;
    for (const SpecializationValue& value : options.specialization) {
      line += " " + std::to_string(value.id) + "=" + std::to_string(value.bits) + ":" + std::to_string(value.bytes);
    }
    if (options.contraction == Contraction::forbidden) line += " contraction=forbidden";
    if (options.subgroup_size != 0) line += " subgroup_size=" + std::to_string(options.subgroup_size);
    if (options.workgroups_per_multiprocessor != 0) {
      line += " workgroups_per_multiprocessor=" + std::to_string(options.workgroups_per_multiprocessor);
    }
    if (known_.contains(line)) return;
    guarded([&] {
      core::NewFile written(core::Folder(list_.has_parent_path() ? list_.parent_path() : "."));
      written.write(std::as_bytes(std::span(module.words)));
      written.move_to(file, std::filesystem::perms(0644));
    });
    add(line);
  }

 private:
  // The list's name, the kernel's and a hash of the module: kernels of one name may differ.
  std::string file_of(const Spirv& module) const {
    std::string name =
        core::utf8_text(list_.filename()) + "." + core::utf8_text(core::utf8_path(module.name).filename());
    std::ranges::replace_if(
        name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '.' && c != '_' && c != '-'; }, '_');
    return name + "." + core::CacheKey().add(module.words).hex().substr(0, 16) + ".spv";
  }

  void add(const std::string& line) {
    if (!known_.insert(line).second) return;
    guarded([&] {
      const std::string text = line + "\n";
      core::append_to_file(list_, std::as_bytes(std::span(text)));
    });
  }

  template <typename Work>
  void guarded(const Work& work) const {
    try {
      work();
    } catch (const std::system_error& error) {
      throw Error(ErrorCode::io_failed, "The list of plans '" + core::utf8_text(list_) +
                                            "' cannot be written: " + error.code().message() +
                                            ". Name another file in WEFT_RECORD_PLANS, or unset it.");
    }
  }

  const std::filesystem::path list_;
  std::mutex mutex_;
  std::set<std::string> known_;
};

}  // namespace

std::shared_ptr<PlanRecorder> PlanRecorder::to_file(std::filesystem::path list) {
  return std::make_shared<ListFile>(std::move(list));
}

}  // namespace weft

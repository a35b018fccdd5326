#include "bench/peer.h"

#include <deque>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <weft/error.h>

#include "bench/peer/interface.h"
#include "core/src/platform/library.h"
#include "core/src/platform/process.h"
#include "core/src/platform/utf8.h"

namespace weft::bench {
namespace {

[[noreturn]] void cannot_open(const std::string& file, const std::string& why) {
  throw Error(ErrorCode::unsupported, "the peer library " + file + " cannot be used: " + why);
}

std::string file_of(const std::string& name) {
  if (core::utf8_path(name).has_parent_path()) return name;
  const auto path = core::program_file().parent_path() / core::utf8_path(core::module_file("weft_" + name + "_peer"));
  const std::string file = core::utf8_text(path);
  if (std::filesystem::exists(path)) return file;
  throw Error(
      ErrorCode::unsupported,
      "--peer " + name + ": there is no " + file +
          "; on Linux the targets weft_cpp_peer (where CMake finds TBB: libtbb-dev), weft_cub_peer, weft_embree_peer, "
          "weft_maps_peer, weft_pocl_peer and weft_vqsort_peer (libhwy-dev) build those of cpp, cub, embree, maps, "
          "pocl "
          "and vqsort, and --peer also takes a file name with a slash");
}

}  // namespace

struct Peer::Library {
  decltype(&weft_peer_message) message;
  decltype(&weft_peer_prepare) prepare;
  decltype(&weft_peer_forms) forms;
  decltype(&weft_peer_form) form;
  decltype(&weft_peer_poison) poison;
  decltype(&weft_peer_submit) submit;
  decltype(&weft_peer_finish) finish;
  decltype(&weft_peer_read) read;
  decltype(&weft_peer_release) release;
  std::string title;

  explicit Library(const std::string& file) : file_(file), library_(file, core::DynamicLibrary::Stays::for_good) {
    if (!library_) cannot_open(file, library_.failure());
    decltype(&weft_peer_interface) interface = nullptr;
    decltype(&weft_peer_name) name = nullptr;
    load(interface, "weft_peer_interface");
    if (interface() != weft_peer_interface_version) {
      cannot_open(file, "it has version " + std::to_string(interface()) +
                            " of the interface, and this program version " +
                            std::to_string(int{weft_peer_interface_version}));
    }
    load(name, "weft_peer_name");
    load(message, "weft_peer_message");
    load(prepare, "weft_peer_prepare");
    load(forms, "weft_peer_forms");
    load(form, "weft_peer_form");
    load(poison, "weft_peer_poison");
    load(submit, "weft_peer_submit");
    load(finish, "weft_peer_finish");
    load(read, "weft_peer_read");
    load(release, "weft_peer_release");
    title = name();
  }

  void check(weft_peer_status status, const char* what) const {
    if (status == weft_peer_done) return;
    const std::string text = title + ", " + what + ": " + message();
    if (status == weft_peer_unsupported) throw Error(ErrorCode::unsupported, text);
    throw std::runtime_error(text);
  }

 private:
  template <class Function>
  void load(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(library_.find(symbol));
    if (!function) cannot_open(file_, std::string("it has no ") + symbol);
  }

  std::string file_;
  core::DynamicLibrary library_;  // which stays: CUDA's runtime does not survive being unloaded
};

namespace {

// Shared by the forms of a case.
template <class Library>
struct PreparedCase {
  std::shared_ptr<const Library> library;
  uint32_t sets;
  Device device;
  const Case& benchmark_case;
  PeerWork work;
  weft_peer_case* prepared = nullptr;

  PreparedCase(std::shared_ptr<const Library> of, const weft_peer_problem& problem, const Device& on,
               const Case& benchmark, PeerWork peer_work)
      : library(std::move(of)), sets(problem.sets), device(on), benchmark_case(benchmark), work(std::move(peer_work)) {
    library->check(library->prepare(&problem, &prepared), "preparing");
  }
  ~PreparedCase() { library->release(prepared); }
  PreparedCase(const PreparedCase&) = delete;
};

template <class Library>
class LibraryRuns : public PeerRuns {
 public:
  LibraryRuns(std::shared_ptr<const PreparedCase<Library>> shared, uint32_t form)
      : case_(std::move(shared)), library_(*case_->library), form_(form) {}

  std::string form() const override { return library_.form(case_->prepared, form_); }

  void submit(uint32_t runs) override {
    library_.check(library_.submit(case_->prepared, form_, runs), "running");
    batches_.push_back(runs);
  }

  std::vector<double> finish() override {
    std::vector<double> seconds(batches_.front());
    batches_.pop_front();
    library_.check(library_.finish(case_->prepared, seconds.data()), "running");
    return seconds;
  }

  void verify() override {
    library_.check(library_.poison(case_->prepared), "filling its outputs");
    submit(case_->sets);
    finish();
    Stream stream = case_->device.stream();
    for (const uint32_t set : {0u, case_->sets - 1}) {
      case_->benchmark_case.poison(stream);
      copy_outputs(stream, set);
      if (const auto wrong = case_->benchmark_case.verify(stream, 0)) {
        const std::string by = form().empty() ? "" : " by " + form();
        throw std::runtime_error("verification failed: " + library_.title + ", " + case_->work.row + by + ": " +
                                 *wrong);
      }
      if (case_->sets == 1) break;
    }
  }

 private:
  void copy_outputs(Stream& stream, uint32_t set) const {
    std::vector<std::byte> bytes;
    const std::vector<PeerWork::Array>& outputs = case_->work.outputs;
    for (uint32_t i = 0; i < outputs.size(); ++i) {
      bytes.resize(size_t(outputs[i].region.bytes));
      library_.check(library_.read(case_->prepared, i, set, bytes.data()), "reading results");
      stream.upload_region(outputs[i].region, bytes);
    }
    stream.synchronize();
  }

  std::shared_ptr<const PreparedCase<Library>> case_;
  const Library& library_;
  uint32_t form_;
  std::deque<uint32_t> batches_;
};

// CUDA's number of the device; -1 for other backends.
int32_t ordinal_of(const Device& device) {
  const DeviceInfo& info = device.info();
  const std::string prefix = "cuda:";
  return info.selector.starts_with(prefix) ? int32_t(std::stol(info.selector.substr(prefix.size()))) : -1;
}

}  // namespace

Peer::Peer(const std::string& name) : library_(std::make_shared<Library>(file_of(name))) {}

const std::string& Peer::title() const { return library_->title; }

std::vector<std::unique_ptr<PeerRuns>> Peer::prepare(const Device& device, const Case& benchmark_case, uint64_t count,
                                                     uint32_t sets) const {
  std::optional<PeerWork> work = benchmark_case.peer_work();
  if (!work) throw Error(ErrorCode::unsupported, "the benchmark has no counterpart among the peer's rows");
  Stream stream = device.stream();
  std::vector<std::vector<std::byte>> data;
  std::vector<weft_peer_array> inputs, outputs;
  for (const PeerWork::Array& input : work->inputs) {
    data.emplace_back(size_t(input.region.bytes));
    stream.download_region(input.region, data.back());
    inputs.push_back({input.type.c_str(), input.region.bytes, data.back().data()});
  }
  for (const PeerWork::Array& output : work->outputs) {
    outputs.push_back({output.type.c_str(), output.region.bytes, nullptr});
  }
  const weft_peer_problem problem{work->row.c_str(),
                                  inputs.data(),
                                  outputs.data(),
                                  uint32_t(inputs.size()),
                                  uint32_t(outputs.size()),
                                  count,
                                  sets,
                                  device.info().name.c_str(),
                                  ordinal_of(device),
                                  work->bins,
                                  work->limit,
                                  work->lower,
                                  work->upper};
  const auto shared = std::make_shared<const PreparedCase<Library>>(library_, problem, device, benchmark_case, *work);
  std::vector<std::unique_ptr<PeerRuns>> forms;
  for (uint32_t form = 0; form < library_->forms(shared->prepared); ++form) {
    forms.push_back(std::make_unique<LibraryRuns<Library>>(shared, form));
  }
  return forms;
}

}  // namespace weft::bench

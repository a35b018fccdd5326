#include "bench/peer.h"

#include <dlfcn.h>

#include <deque>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include <weft/error.h>

#include "bench/peer/interface.h"

namespace weft::bench {
namespace {

[[noreturn]] void cannot_open(const std::string& file, const std::string& why) {
  throw Error(ErrorCode::unsupported, "the peer library " + file + " cannot be used: " + why);
}

std::string file_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const auto program = std::filesystem::read_symlink("/proc/self/exe");
  const auto file = program.parent_path() / ("libweft_" + name + "_peer.so");
  if (std::filesystem::exists(file)) return file.string();
  throw Error(ErrorCode::unsupported,
              "there is no " + file.string() + " for --peer " + name +
                  "; the target weft_cub_peer builds that of CUB, and --peer also takes a file, "
                  "with a slash");
}

}  // namespace

struct Peer::Library {
  decltype(&weft_peer_message) message;
  decltype(&weft_peer_prepare) prepare;
  decltype(&weft_peer_submit) submit;
  decltype(&weft_peer_finish) finish;
  decltype(&weft_peer_read) read;
  decltype(&weft_peer_release) release;
  std::string title;

  explicit Library(const std::string& file) : file_(file), handle_(::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) cannot_open(file, ::dlerror());
    decltype(&weft_peer_interface) interface = nullptr;
    decltype(&weft_peer_name) name = nullptr;
    load(interface, "weft_peer_interface");
    if (interface() != weft_peer_interface_version) {
      cannot_open(file, "it is of version " + std::to_string(interface()) + " of the interface, and this program of " +
                            std::to_string(int{weft_peer_interface_version}));
    }
    load(name, "weft_peer_name");
    load(message, "weft_peer_message");
    load(prepare, "weft_peer_prepare");
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
    function = reinterpret_cast<Function>(::dlsym(handle_, symbol));
    if (!function) cannot_open(file_, std::string("it has no ") + symbol);
  }

  std::string file_;
  void* handle_;  // Stays open: CUDA's runtime does not survive being unloaded.
};

namespace {

template <class Library>
class LibraryRuns : public PeerRuns {
 public:
  LibraryRuns(std::shared_ptr<const Library> library, const weft_peer_problem& problem, const Device& device,
              const Case& benchmark_case, PeerWork work)
      : library_(std::move(library)),
        sets_(problem.sets),
        device_(device),
        case_(benchmark_case),
        work_(std::move(work)) {
    library_->check(library_->prepare(&problem, &prepared_), "preparing");
  }
  ~LibraryRuns() override { library_->release(prepared_); }

  void submit(uint32_t runs) override {
    library_->check(library_->submit(prepared_, runs), "running");
    batches_.push_back(runs);
  }

  std::vector<double> finish() override {
    std::vector<double> seconds(batches_.front());
    batches_.pop_front();
    library_->check(library_->finish(prepared_, seconds.data()), "running");
    return seconds;
  }

  void verify() override {
    submit(sets_);
    finish();
    Stream stream = device_.stream();
    for (const uint32_t set : {0u, sets_ - 1}) {
      case_.poison(stream);
      copy_outputs(stream, set);
      if (const auto wrong = case_.verify(stream, 0)) {
        throw std::runtime_error("verification failed: " + library_->title + ", " + work_.row + ": " + *wrong);
      }
      if (sets_ == 1) break;
    }
  }

 private:
  void copy_outputs(Stream& stream, uint32_t set) const {
    std::vector<std::byte> bytes;
    for (uint32_t i = 0; i < work_.outputs.size(); ++i) {
      bytes.resize(size_t(work_.outputs[i].region.bytes));
      library_->check(library_->read(prepared_, i, set, bytes.data()), "reading results");
      stream.upload_region(work_.outputs[i].region, bytes);
    }
    stream.synchronize();
  }

  std::shared_ptr<const Library> library_;
  uint32_t sets_;
  Device device_;
  const Case& case_;
  PeerWork work_;
  weft_peer_case* prepared_ = nullptr;
  std::deque<uint32_t> batches_;
};

// CUDA's number of the device; -1 where it is another backend's.
int32_t ordinal_of(const Device& device) {
  const DeviceInfo& info = device.info();
  const std::string prefix = "cuda:";
  return info.selector.starts_with(prefix) ? int32_t(std::stol(info.selector.substr(prefix.size()))) : -1;
}

}  // namespace

Peer::Peer(const std::string& name) : library_(std::make_shared<Library>(file_of(name))) {}

const std::string& Peer::title() const { return library_->title; }

std::unique_ptr<PeerRuns> Peer::prepare(const Device& device, const Case& benchmark_case, uint64_t count,
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
  return std::make_unique<LibraryRuns<Library>>(library_, problem, device, benchmark_case, *work);
}

}  // namespace weft::bench

// Types on both sides of a shared library: exceptions of either side are caught on the other, classes are known there.
#include <cstdio>
#include <memory>
#include <typeinfo>

#include <weft/glsl.h>
#include <weft/weft.h>

namespace {

bool all_right = true;

void check(bool right, const char* what) {
  std::printf("%s: %s\n", what, right ? "right" : "WRONG");
  all_right = all_right && right;
}

struct OwnError : weft::Error {
  OwnError() : Error(weft::ErrorCode::io_failed, "the archive is gone") {}
};

class BrokenArchive : public weft::KernelCache {
 public:
  std::optional<std::vector<std::byte>> load(std::string_view, std::string_view) override { throw OwnError(); }
  void store(std::string_view, std::string_view, std::span<const std::byte>) override {}
};

bool is_error(const std::exception& exception) {
  const auto* error = dynamic_cast<const weft::Error*>(&exception);
  return error && typeid(exception) == typeid(weft::Error) && error->code() == weft::ErrorCode::invalid_argument;
}

void catch_errors() {
  try {
    weft::open_device("nothing");
    check(false, "an error of the library");
  } catch (const std::exception& exception) {
    check(is_error(exception), "an error of the library");
  }
  try {
    weft::GlslOptions options;
    options.cache = std::make_shared<BrokenArchive>();
    static_cast<void>(weft::compile_glsl("#version 460\nvoid main() {}\n", options));
    check(false, "an error of the program, through the library");
  } catch (const weft::Error& error) {
    check(typeid(error) == typeid(OwnError), "an error of the program, through the library");
  }
}

void recognise_classes() {
  weft::Stream stream = weft::open_device().stream();
  weft::Recorder& recorder = stream;
  check(dynamic_cast<weft::Stream*>(&recorder) == &stream && typeid(recorder) == typeid(weft::Stream), "a stream");
  const auto ours = std::make_shared<BrokenArchive>();
  const std::shared_ptr<weft::KernelCache> caches[] = {
      ours, weft::KernelCache::of([](auto, auto) { return std::nullopt; }, [](auto, auto, auto) {})};
  check(std::dynamic_pointer_cast<BrokenArchive>(caches[0]) == ours, "a cache of the program");
  check(!std::dynamic_pointer_cast<BrokenArchive>(caches[1]), "a cache of the library");
}

}  // namespace

int main() {
  catch_errors();
  recognise_classes();
  return all_right ? 0 : 1;
}

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tests/conformance/long_work.h"
#include "tests/conformance/step.h"

using namespace weft;
using namespace weft::test;
using namespace std::chrono_literals;

namespace {

// What a child of this process finds wrong; empty for nothing. A child that hangs is ended, and says nothing.
std::string said_by_child(const std::function<std::string()>& run) {
  int ends[2];
  REQUIRE_EQ(pipe(ends), 0);
  const pid_t child = fork();
  REQUIRE_GE(child, 0);
  if (child == 0) {
    alarm(30);
    std::string text = "it threw another exception";
    try {
      text = run();
    } catch (const std::exception& error) {
      text += std::string(": ") + error.what();
    }
    text += '.';
    const bool written = write(ends[1], text.data(), text.size()) == ssize_t(text.size());
    _exit(written ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[256];
  for (ssize_t bytes; (bytes = read(ends[0], part, sizeof(part))) > 0;) text.append(part, size_t(bytes));
  close(ends[0]);
  int status = 0;
  REQUIRE_EQ(waitpid(child, &status, 0), child);
  return text.empty() ? "the child ended with status " + std::to_string(status) : text.substr(0, text.size() - 1);
}

// Empty if `use` throws the error for devices of the parent.
std::string unless_refused(const char* what, const std::function<void()>& use) {
  try {
    use();
  } catch (const Error& error) {
    const bool is_it = error.code() == ErrorCode::invalid_argument &&
                       std::string_view(error.what()).find("was opened before fork()") != std::string_view::npos;
    return is_it ? "" : std::string(what) + " throws: " + error.what() + " ";
  }
  return std::string(what) + " does not throw. ";
}

}  // namespace

DEVICE_TEST("a child of fork() cannot use its parent's device, and leaves it alone") {
  // Objects that the child destroys and the parent goes on to use.
  std::optional<Device> own = open_device(selector_of(device));
  std::optional<Stream> stream = own->stream();
  std::optional<Kernel> affine = own->kernel(kernels::affine());
  std::optional<Buffer<uint32_t>> data = own->buffer<uint32_t>(10000);
  std::vector<uint32_t> expected(10000, 3);
  stream->fill(*data, 3u);
  record_affine(*stream, *affine, *data, 5, 1);
  std::optional<Event> event = stream->record();
  stream->synchronize();
  LongWork work(*own, 20ms);
  work.record(*stream);
  stream->submit();
  record_affine(*stream, *affine, *data, 7, 2);
  const std::string said = said_by_child([&] {
    std::vector<uint32_t> words(10000);
    const Spirv module = kernels::gather();
    std::string wrong = unless_refused("stream()", [&] { own->stream(); });
    wrong += unless_refused("buffer()", [&] { own->buffer<uint32_t>(10); });
    wrong += unless_refused("kernel()", [&] { own->kernel(module); });
    wrong += unless_refused("Device::synchronize()", [&] { own->synchronize(); });
    wrong += unless_refused("submit()", [&] { stream->submit(); });
    wrong += unless_refused("record()", [&] { stream->record(); });
    wrong += unless_refused("wait()", [&] { stream->wait(*event); });
    wrong += unless_refused("synchronize()", [&] { stream->synchronize(); });
    wrong += unless_refused("upload()", [&] { stream->upload(*data, words); });
    wrong += unless_refused("download()", [&] { stream->download(*data); });
    wrong += unless_refused("Event::done()", [&] { event->done(); });
    wrong += unless_refused("Event::wait()", [&] { event->wait(); });
    stream.reset();
    affine.reset();
    data.reset();
    event.reset();
    own.reset();
    return wrong;
  });
  CHECK_EQ(said, "");
  apply_affine(expected, 5, 1);
  apply_affine(expected, 7, 2);
  check_same(stream->download(*data), expected);
}

DEVICE_TEST("a child of fork() opens devices of its own") {
  if (device.info().backend != "host") unsupported("drivers need not work in a child of a process that used them");
  const std::string selector = selector_of(device);
  LongWork work(device, 1ms);
  const std::string said = said_by_child([&] {
    const Device own = open_device(selector);
    Stream stream = own.stream();
    const Kernel affine = own.kernel(kernels::affine());
    const Buffer<uint32_t> data = own.buffer<uint32_t>(10000);
    stream.fill(data, 3u);
    record_affine(stream, affine, data, 5, 1);
    std::vector<uint32_t> expected(10000, 3);
    apply_affine(expected, 5, 1);
    return std::string(stream.download(data) == expected ? "" : "other words");
  });
  CHECK_EQ(said, "");
}

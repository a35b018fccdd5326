#include "core/src/runtime/staged_stream.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <random>
#include <vector>

#include "tests/support/recording_device.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// Uploads and downloads through staging memory, on a device that copies as late as it may.

namespace {

struct Slot : core::StagingSlot {
  explicit Slot(uint64_t bytes) : Slot(std::make_unique<std::vector<std::byte>>(bytes)) {}
  explicit Slot(std::unique_ptr<std::vector<std::byte>> from)
      : core::StagingSlot(from->data(), from->size()), memory(std::move(from)) {}
  std::unique_ptr<std::vector<std::byte>> memory;
  uint64_t last_copy = 0;  // the copies are counted from 1
};

/// Copies wait until finish() or the end asks for them.
class LateStream final : public core::StagedStream {
 public:
  explicit LateStream(backend::Device& device) : device_(device) {}

  backend::Device& device() override { return device_; }
  void dispatch(const backend::Kernel&, Groups, const backend::BoundArguments&) override {}
  void dispatch_indirect(const backend::Kernel&, const Region&, const backend::BoundArguments&) override {}
  void copy(const Region&, const Region&) override {}
  void fill(const Region&, uint32_t) override {}
  std::shared_ptr<backend::Timestamp> timestamp() override { return nullptr; }
  void begin_independent() override {}
  void end_independent() override {}
  void submit() override { submitted_ = recorded_; }
  std::shared_ptr<backend::Event> record() override { return nullptr; }
  void wait(const std::shared_ptr<backend::Event>&) override {}
  void synchronize(std::chrono::nanoseconds) override {
    submit();
    run_to(recorded_);
  }

  size_t slots = 0, slot_bytes = 0, waits = 0, waits_without_submission = 0;

 private:
  std::unique_ptr<core::StagingSlot> make_slot(uint64_t bytes, core::StagingUse) override {
    ++slots;
    slot_bytes += bytes;
    return std::make_unique<Slot>(bytes);
  }
  void copy_in(core::StagingSlot& slot, uint64_t offset, const Region& destination) override {
    add(slot, [from = slot.data() + offset, destination] {
      std::memcpy(reinterpret_cast<void*>(destination.address()), from, destination.bytes);
    });
  }
  void copy_out(const Region& source, core::StagingSlot& slot, uint64_t offset) override {
    add(slot, [to = slot.data() + offset, source] {
      std::memcpy(to, reinterpret_cast<const void*>(source.address()), source.bytes);
    });
  }
  void finish(core::StagingSlot& slot, std::chrono::nanoseconds) override {
    const uint64_t last = static_cast<Slot&>(slot).last_copy;
    ++waits;
    if (last > submitted_) {
      ++waits_without_submission;
      submit();
    }
    run_to(last);
  }

  void add(core::StagingSlot& slot, std::function<void()> copy) {
    copies_.push_back(std::move(copy));
    static_cast<Slot&>(slot).last_copy = ++recorded_;
  }
  void run_to(uint64_t last) {
    for (; done_ < last; ++done_) {
      copies_.front()();
      copies_.pop_front();
    }
  }

  backend::Device& device_;
  std::deque<std::function<void()>> copies_;
  uint64_t recorded_ = 0, submitted_ = 0, done_ = 0;
};

std::vector<std::byte> random_bytes(size_t count) {
  std::mt19937_64 generator = random_generator("staged stream");
  std::vector<uint64_t> words(count / sizeof(uint64_t) + 1);
  for (uint64_t& word : words) word = generator();
  std::vector<std::byte> bytes(count);
  std::memcpy(bytes.data(), words.data(), count);
  return bytes;
}

struct StagedCase {
  std::vector<RequestedKernel> unused;
  Device device = recording_device(gpu(32, 48 * 1024), unused);
  LateStream stream{*device.shared_impl()};
};

Region region_of(backend::Buffer& buffer, uint64_t offset, uint64_t bytes) { return {&buffer, offset, bytes}; }

}  // namespace

TEST_CASE("uploads and downloads of many slots arrive whole") {
  constexpr size_t bytes = (44u << 20) + 12345;  // seven slots and a piece, where five are in turn
  StagedCase c;
  const std::vector<std::byte> sent = random_bytes(bytes);
  std::vector<std::byte> memory(bytes + 7), received(bytes);
  backend::Buffer buffer(c.device.shared_impl(), reinterpret_cast<uint64_t>(memory.data()), memory.size());
  c.stream.upload(region_of(buffer, 7, bytes), sent);
  CHECK_EQ(c.stream.slots, 5);
  CHECK_EQ(c.stream.waits, 3);
  c.stream.synchronize({});
  CHECK(std::ranges::equal(std::span(memory).subspan(7), sent));
  c.stream.download(region_of(buffer, 7, bytes), received, {});
  CHECK(received == sent);
  CHECK_EQ(c.stream.slots, 10);
}

TEST_CASE("small uploads share a slot, and none is overwritten before it is copied") {
  constexpr size_t bytes = 70'001, uploads = 700;  // 47 MiB through 32.25 MiB of slots
  StagedCase c;
  const std::vector<std::byte> sent = random_bytes(bytes * uploads);
  std::vector<std::byte> memory(sent.size());
  backend::Buffer buffer(c.device.shared_impl(), reinterpret_cast<uint64_t>(memory.data()), memory.size());
  for (size_t i = 0; i < uploads; ++i) {
    c.stream.upload(region_of(buffer, i * bytes, bytes), std::span(sent).subspan(i * bytes, bytes));
  }
  CHECK_EQ(c.stream.slots, 5);
  CHECK_GT(c.stream.waits, 0);
  c.stream.synchronize({});
  CHECK(memory == sent);
}

TEST_CASE("a few small uploads and downloads take little staging memory") {
  constexpr size_t bytes = 100'000;
  StagedCase c;
  const std::vector<std::byte> sent = random_bytes(bytes);
  std::vector<std::byte> memory(bytes), received(bytes);
  backend::Buffer buffer(c.device.shared_impl(), reinterpret_cast<uint64_t>(memory.data()), memory.size());
  for (int i = 0; i < 2; ++i) {
    c.stream.upload(region_of(buffer, 0, bytes), sent);
    c.stream.download(region_of(buffer, 0, bytes), received, {});
    CHECK(received == sent);
  }
  CHECK_LE(c.stream.slot_bytes, 1u << 20);
}

TEST_CASE("a slot whose copy was not submitted is submitted before it is waited for") {
  constexpr size_t first = 256u << 10, bytes = 8u << 20;  // slots that are full after one copy each
  StagedCase c;
  const std::vector<std::byte> sent = random_bytes(bytes);
  std::vector<std::byte> memory(bytes);
  backend::Buffer buffer(c.device.shared_impl(), reinterpret_cast<uint64_t>(memory.data()), memory.size());
  c.stream.upload(region_of(buffer, 0, first), std::span(sent).first(first));
  for (int i = 0; i < 5; ++i) c.stream.upload(region_of(buffer, 0, bytes), sent);
  CHECK_EQ(c.stream.waits_without_submission, 1);
  c.stream.synchronize({});
  CHECK(memory == sent);
}

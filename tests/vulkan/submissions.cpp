#include "tests/stand_ins/recording_driver/submissions.h"

#include <dlfcn.h>

#include <cstdlib>

#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The submissions of streams that events order. CPU drivers run submissions one by one, so results never expose a wait
/// that is missing or for too early a value; tests/stand_ins/recording_driver does.

namespace {

const std::vector<Submission>& all_submissions() {
  const char* const path = std::getenv("WEFT_TEST_RECORDING_DRIVER");
  REQUIRE_MESSAGE(path, "WEFT_TEST_RECORDING_DRIVER names no driver");
  void* const driver = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
  REQUIRE_MESSAGE(driver, path << " is not loaded; does VK_DRIVER_FILES name its JSON file?");
  const auto get = reinterpret_cast<SubmissionsFunction>(dlsym(driver, submissions_function));
  REQUIRE_MESSAGE((get != nullptr), path << " has no " << submissions_function);
  return get();
}

/// Returns the submissions of `work`.
template <typename Work>
std::vector<Submission> submissions_of(Work&& work) {
  const std::vector<Submission>& all = all_submissions();
  const size_t before = all.size();
  work();
  return {all.begin() + std::ptrdiff_t(before), all.end()};
}

/// The end of a submission's work: its one signal, after every command.
TimelinePoint end_of(const Submission& submission) {
  REQUIRE_EQ(submission.signals.size(), 1);
  const TimelinePoint end = submission.signals[0];
  CHECK_EQ(end.stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  CHECK_GT(end.value, 0);
  return end;
}

/// Checks that every command of a submission waits for these ends, and for nothing else.
void check_waits(const Submission& submission, const std::vector<TimelinePoint>& ends) {
  REQUIRE_EQ(submission.waits.size(), ends.size());
  for (size_t i = 0; i < ends.size(); ++i) {
    CHECK_EQ(submission.waits[i].semaphore, ends[i].semaphore);
    CHECK_EQ(submission.waits[i].value, ends[i].value);
    CHECK_EQ(submission.waits[i].stages, ends[i].stages);
  }
}

}  // namespace

DEVICE_TEST("a stream that waits for an event waits for the end of the work before it") {
  Stream first = device.stream(), second = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
  const auto submitted = submissions_of([&] {
    first.fill(words, 1u);
    const Event filled = first.record();
    first.fill(words, 2u);  // not part of the event
    first.submit();
    second.wait(filled);
    second.fill(words, 3u);
    second.submit();
  });
  REQUIRE_EQ(submitted.size(), 3);
  for (const Submission& one : submitted) CHECK_EQ(one.commands, 1);
  check_waits(submitted[0], {});
  check_waits(submitted[1], {});
  check_waits(submitted[2], {end_of(submitted[0])});
  CHECK_EQ(end_of(submitted[1]).semaphore, end_of(submitted[0]).semaphore);
  CHECK_GT(end_of(submitted[1]).value, end_of(submitted[0]).value);
  CHECK_NE(end_of(submitted[2]).semaphore, end_of(submitted[0]).semaphore);
}

DEVICE_TEST("work recorded between a wait and the next submission waits, and nothing else") {
  Stream first = device.stream(), second = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
  const auto submitted = submissions_of([&] {
    first.fill(words, 1u);
    const Event filled = first.record();
    second.fill(words, 2u);
    second.wait(filled);
    second.fill(words, 3u);
    second.submit();
    second.fill(words, 4u);
    second.submit();
  });
  REQUIRE_EQ(submitted.size(), 4);
  for (const Submission& one : submitted) CHECK_EQ(one.commands, 1);
  for (const size_t i : {0, 1, 3}) check_waits(submitted[i], {});
  check_waits(submitted[2], {end_of(submitted[0])});
}

DEVICE_TEST("a stream waits for every event that it was given") {
  Stream first = device.stream(), second = device.stream(), last = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(2);
  const auto submitted = submissions_of([&] {
    first.fill(words.part(0, 1), 1u);
    second.fill(words.part(1, 1), 1u);
    const Event one = first.record(), other = second.record();
    last.wait(one);
    last.wait(other);
    last.fill(words, 2u);
    last.submit();
  });
  // Later work on the queue waits for everything that a submission waits for.
  REQUIRE_GE(submitted.size(), 3);
  CHECK_EQ(submitted.back().commands, 1);
  Submission waiting = submitted.back();
  for (size_t i = 2; i + 1 < submitted.size(); ++i) {
    CHECK_EQ(submitted[i].queue, waiting.queue);
    CHECK_EQ(submitted[i].commands, 0);
    waiting.waits.insert(waiting.waits.begin(), submitted[i].waits.begin(), submitted[i].waits.end());
  }
  check_waits(waiting, {end_of(submitted[0]), end_of(submitted[1])});
}

DEVICE_TEST("an event after a wait covers the work that the wait is for") {
  Stream first = device.stream(), second = device.stream(), third = device.stream();
  const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
  const auto submitted = submissions_of([&] {
    first.fill(words, 1u);
    second.wait(first.record());
    third.wait(second.record());  // with no work in between
    third.fill(words, 2u);
    third.submit();
  });
  REQUIRE_EQ(submitted.size(), 3);
  check_waits(submitted[1], {end_of(submitted[0])});
  check_waits(submitted[2], {end_of(submitted[1])});
}

DEVICE_TEST("a semaphore that streams use one after the other keeps counting") {
  const Buffer<uint32_t> words = device.buffer<uint32_t>(100);
  Stream last = device.stream();
  const auto submitted = submissions_of([&] {
    for (uint32_t round = 0; round < 3; ++round) {
      Stream stream = device.stream();
      stream.fill(words, round);
      last.wait(stream.record());
      last.fill(words, round);
      last.submit();
      last.synchronize();
    }
  });
  REQUIRE_EQ(submitted.size(), 6);
  for (size_t i = 0; i < 6; i += 2) {
    check_waits(submitted[i], {});
    check_waits(submitted[i + 1], {end_of(submitted[i])});
    if (i == 0) continue;
    CHECK_EQ(end_of(submitted[i]).semaphore, end_of(submitted[0]).semaphore);
    CHECK_GT(end_of(submitted[i]).value, end_of(submitted[i - 2]).value);
  }
}

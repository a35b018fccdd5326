#include "core/src/runtime/retirement.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "core/src/runtime/weak_list.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// What devices keep alive for the sake of work in progress, without a device.

namespace {

/// A stream's submissions, or the frames of a host application: what is recorded, and what is done.
struct Progress final : core::Work {
  std::atomic<uint64_t> recorded = 0, done = 0;
  std::array<std::atomic<uint64_t>, marks> marked{};

  void mark(size_t mark) noexcept override { marked[mark] = recorded.load(); }
  bool is_marked(size_t mark) noexcept override { return marked[mark] == recorded; }
  bool passed(size_t mark) noexcept override { return done >= marked[mark]; }
};

/// Calls a function when it is released.
struct Released final : core::Remains {
  explicit Released(std::function<void()> function) : call(std::move(function)) {}
  ~Released() override { call(); }

  std::function<void()> call;
};

struct RetirementCase {
  RetirementCase() {
    retirement.add(first);
    retirement.add(second);
  }

  std::shared_ptr<Progress> first = std::make_shared<Progress>(), second = std::make_shared<Progress>();
  std::vector<int> released;
  core::Retirement retirement;

  void retire(int object) {
    retirement.retire(std::make_unique<Released>([this, object] { released.push_back(object); }));
  }
};

using Objects = std::vector<int>;

}  // namespace

TEST_CASE("what no work uses is released at once") {
  RetirementCase c;
  c.retire(1);
  CHECK(c.released == Objects{1});
  c.first->recorded = c.first->done = 5;
  c.retire(2);
  CHECK(c.released == Objects{1, 2});
}

TEST_CASE("nothing is released before its work is done, nor without collect()") {
  RetirementCase c;
  c.first->recorded = 1;
  c.retire(1);
  c.first->recorded = 2;
  c.retire(2);
  c.retirement.collect();
  CHECK(c.released.empty());
  c.first->done = 1;
  CHECK(c.released.empty());
  c.retirement.collect();
  CHECK(c.released == Objects{1});
  c.first->done = 2;
  c.retirement.collect();
  c.retirement.collect();
  CHECK(c.released == Objects{1, 2});
}

TEST_CASE("the work of every stream must be done, and later work need not") {
  RetirementCase c;
  c.first->recorded = c.second->recorded = 1;
  c.retire(1);
  c.first->recorded = c.second->recorded = 7;
  c.first->done = 1;
  c.retirement.collect();
  CHECK(c.released.empty());
  c.second->done = 1;
  c.retirement.collect();
  CHECK(c.released == Objects{1});
}

TEST_CASE("streams that never rest hold nothing back longer than their work, if that is of few submissions") {
  for (const int in_flight : {1, 3, 4, 20}) {
    RetirementCase c;
    int most = 0;
    for (int i = 1; i <= 200; ++i) {
      c.first->recorded = uint64_t(i);
      c.first->done = uint64_t(std::max(i - in_flight, 0));
      c.retire(2 * i);
      c.retire(2 * i + 1);
      most = std::max(most, i - int(c.released.size()) / 2);
    }
    CHECK_LE(most, in_flight < int(core::Work::marks) ? in_flight : 2 * in_flight);
    c.first->done = c.first->recorded.load();
    c.retirement.collect();
    REQUIRE_EQ(c.released.size(), 400);
    CHECK(std::ranges::is_sorted(c.released));
  }
}

TEST_CASE("a stream that is gone holds nothing back, and one that comes later neither") {
  RetirementCase c;
  c.first->recorded = 1;
  c.retire(1);
  const auto late = std::make_shared<Progress>();
  late->recorded = 1;
  c.retirement.add(late);
  c.retirement.collect();
  CHECK(c.released.empty());
  c.first.reset();
  c.retirement.collect();
  CHECK(c.released == Objects{1});
}

TEST_CASE("drain() releases everything in order; a second one and collect() nothing more") {
  RetirementCase c;
  c.first->recorded = 2;
  c.retire(1);
  c.retire(2);
  c.retire(3);
  c.retirement.drain();
  CHECK(c.released == Objects{1, 2, 3});
  c.first->done = 2;
  c.retirement.drain();
  c.retirement.collect();
  CHECK(c.released == Objects{1, 2, 3});
}

TEST_CASE("without drain(), what may be in use is not released") {
  bool released = false;
  auto remains = std::make_unique<Released>([&] { released = true; });
  const std::unique_ptr<Released> left(remains.get());  // so that this test leaks nothing
  const auto work = std::make_shared<Progress>();
  {
    core::Retirement retirement;
    retirement.add(work);
    work->recorded = 1;
    retirement.retire(std::move(remains));
  }
  CHECK_FALSE(released);
}

TEST_CASE("what is retired while others are released is released too") {
  RetirementCase c;
  c.first->recorded = 1;
  c.retirement.retire(std::make_unique<Released>([&] {
    c.released.push_back(1);
    c.retire(2);
    c.first->recorded = 2;
    c.retire(3);
  }));
  c.first->done = 1;
  c.retirement.collect();
  CHECK(c.released == Objects{1, 2});
  c.first->done = 2;
  c.retirement.collect();
  CHECK(c.released == Objects{1, 2, 3});
}

TEST_CASE("threads retire and collect at the same time, and each object is released once, not too early") {
  constexpr int threads = 4, objects = 2000;
  const auto progress = std::make_shared<Progress>();
  std::atomic<int> early = 0;
  std::vector<std::atomic<int>> released(size_t{threads} * objects);
  core::Retirement retirement;
  retirement.add(progress);
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < objects; ++i) {
        auto& count = released[size_t(t) * objects + size_t(i)];
        const uint64_t needed = progress->recorded;
        retirement.retire(std::make_unique<Released>([&, needed] {
          ++count;
          if (progress->done < needed) ++early;
        }));
        if (t == 0) progress->recorded = uint64_t(i);
        if (t == 0 && i % 3 == 0) progress->done = progress->recorded.load();
        if (i % 7 == 0) retirement.collect();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  progress->done = progress->recorded.load();
  retirement.collect();
  for (const auto& count : released) REQUIRE_EQ(count, 1);
  CHECK_EQ(early, 0);
}

TEST_CASE("a list of weak pointers gives the objects that live, in order") {
  core::WeakList<int> list;
  const auto first = std::make_shared<int>(1);
  auto second = std::make_shared<int>(2);
  const auto third = std::make_shared<int>(3);
  list.add(first);
  list.add(second);
  CHECK(list.alive() == std::vector<std::shared_ptr<int>>{first, second});
  second.reset();
  CHECK(list.alive() == std::vector<std::shared_ptr<int>>{first});
  list.add(third);
  std::vector<int> seen;
  list.each([&](const int& object) { seen.push_back(object); });
  CHECK(seen == std::vector<int>{1, 3});
  CHECK(list.all_of([](const int& object) { return object % 2 == 1; }));
  CHECK_FALSE(list.all_of([](const int& object) { return object == 1; }));
}

#include "core/src/runtime/retirement.h"

#include <memory>
#include <thread>
#include <vector>

#include "core/src/runtime/weak_list.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// What devices keep alive for the sake of work in progress, without a device.

namespace {

/// A count that completion points are values of: a stream's submissions, or the frames of a host application.
struct Progress {
  uint64_t done = 0;

  core::CompletionPoint point(uint64_t value) {
    return [this, value] { return done >= value; };
  }
};

struct RetirementCase {
  Progress first, second;
  std::vector<int> destroyed;
  core::Retirement retirement;

  void retire(int object, std::vector<core::CompletionPoint> points) {
    retirement.retire(std::move(points), [this, object] { destroyed.push_back(object); });
  }
};

using Objects = std::vector<int>;

}  // namespace

TEST_CASE("an object that no work uses is destroyed at once") {
  RetirementCase c;
  c.retire(1, {});
  CHECK(c.destroyed == Objects{1});
  c.first.done = 5;
  c.retire(2, {c.first.point(5)});
  CHECK(c.destroyed == Objects{1, 2});
}

TEST_CASE("nothing is destroyed before its point is reached, nor without collect()") {
  RetirementCase c;
  c.retire(1, {c.first.point(1)});
  c.retire(2, {c.first.point(2)});
  c.retirement.collect();
  CHECK(c.destroyed.empty());
  c.first.done = 1;
  CHECK(c.destroyed.empty());
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1});
  c.first.done = 2;
  c.retirement.collect();
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1, 2});
}

TEST_CASE("an object waits for all of its points") {
  RetirementCase c;
  c.retire(1, {c.first.point(1), c.second.point(1)});
  c.first.done = 1;
  c.retirement.collect();
  CHECK(c.destroyed.empty());
  c.second.done = 1;
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1});
}

TEST_CASE("what is due is destroyed in the order in which it was retired, past what is not due") {
  RetirementCase c;
  c.retire(1, {c.first.point(1)});
  c.retire(2, {c.second.point(1)});
  c.retire(3, {c.first.point(1)});
  c.retire(4, {c.first.point(1)});
  c.first.done = 1;
  c.retire(5, {});
  CHECK(c.destroyed == Objects{1, 3, 4, 5});
  c.second.done = 1;
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1, 3, 4, 5, 2});
}

TEST_CASE("drain() destroys everything in order; a second one and collect() nothing more") {
  RetirementCase c;
  c.retire(1, {c.first.point(2)});
  c.retire(2, {c.second.point(1)});
  c.retire(3, {c.first.point(1)});
  c.retirement.drain();
  CHECK(c.destroyed == Objects{1, 2, 3});
  c.first.done = c.second.done = 2;
  c.retirement.drain();
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1, 2, 3});
}

TEST_CASE("without drain(), what may be in use is neither destroyed nor freed") {
  auto object = std::make_shared<int>(1);
  const std::weak_ptr<int> weak = object;
  bool destroyed = false;
  {
    core::Retirement retirement;
    retirement.retire({[] { return false; }}, [object = std::move(object), &destroyed] { destroyed = true; });
  }
  CHECK_FALSE(destroyed);
  CHECK_FALSE(weak.expired());
}

TEST_CASE("what destroying an object retires is destroyed too") {
  RetirementCase c;
  c.retirement.retire({c.first.point(1)}, [&] {
    c.destroyed.push_back(1);
    c.retire(2, {});
    c.retire(3, {c.first.point(2)});
  });
  c.first.done = 1;
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1, 2});
  c.first.done = 2;
  c.retirement.collect();
  CHECK(c.destroyed == Objects{1, 2, 3});
}

TEST_CASE("threads retire and collect at the same time, and each object is destroyed once") {
  constexpr int threads = 4, objects = 2000;
  std::atomic<int> done{0};
  std::vector<std::atomic<int>> destroyed(size_t{threads} * objects);
  core::Retirement retirement;
  std::vector<std::thread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      for (int i = 0; i < objects; ++i) {
        const auto reached = [&done, i] { return done >= i; };
        auto& count = destroyed[size_t(t) * objects + size_t(i)];
        retirement.retire({reached}, [&count] { ++count; });
        if (t == 0) done = i;
        if (i % 7 == 0) retirement.collect();
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  retirement.collect();
  for (const auto& count : destroyed) REQUIRE_EQ(count, 1);
}

TEST_CASE("a list of weak pointers gives the objects that live, in order") {
  core::WeakList<int> list;
  const auto first = std::make_shared<int>(1);
  auto second = std::make_shared<int>(2);
  list.add(first);
  list.add(second);
  CHECK(list.alive() == std::vector<std::shared_ptr<int>>{first, second});
  second.reset();
  CHECK(list.alive() == std::vector<std::shared_ptr<int>>{first});
}

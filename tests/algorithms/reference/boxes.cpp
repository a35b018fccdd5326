#include "tests/algorithms/reference/boxes.h"

#include <cmath>
#include <limits>

namespace weft::test {
namespace {

float unit(std::mt19937_64& generator) { return float(generator() >> 40) * 0x1p-24f; }

float unusual_number(std::mt19937_64& generator) {
  using Limits = std::numeric_limits<float>;
  const float numbers[] = {
      Limits::quiet_NaN(), -Limits::quiet_NaN(), Limits::infinity(),   -Limits::infinity(), 0.0f, -0.0f,
      Limits::max(),       Limits::lowest(),     Limits::denorm_min(), -Limits::min(),      1.0f};
  return numbers[generator() % std::size(numbers)];
}

void make_unusual(TestBox& box, std::mt19937_64& generator) {
  switch (generator() % 4) {
    case 0:
      box.high = box.low;
      break;
    case 1:
      std::swap(box.low[generator() % 3], box.high[generator() % 3]);
      break;
    case 2:
      box.low.fill(std::numeric_limits<float>::infinity());
      box.high.fill(-std::numeric_limits<float>::infinity());
      break;
    default:
      for (float& x : box.low) x = generator() % 2 ? unusual_number(generator) : x;
      for (float& x : box.high) x = generator() % 2 ? unusual_number(generator) : x;
  }
}

}  // namespace

TestBox no_box() {
  TestBox box;
  box.low.fill(INFINITY);
  box.high.fill(-INFINITY);
  return box;
}

const char* to_string(BoxKind kind) {
  const char* const names[] = {"scattered", "clustered", "equal", "line", "unusual"};
  return names[size_t(kind)];
}

std::vector<TestBox> make_boxes(BoxKind kind, size_t count, std::mt19937_64& generator) {
  std::vector<TestBox> boxes(count);
  for (TestBox& box : boxes) {
    const float cluster = kind == BoxKind::clustered ? float(generator() % 3) + 0x1p-14f * unit(generator) : 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const bool fixed = kind == BoxKind::line && axis != 1;
      box.low[axis] = fixed ? 3 : 10 * unit(generator) * (kind == BoxKind::clustered ? 0x1p-16f : 1) + cluster;
      box.high[axis] = fixed ? 3 : box.low[axis] + 0.5f * unit(generator);
    }
    if (kind == BoxKind::unusual && generator() % 3 == 0) make_unusual(box, generator);
    if (kind == BoxKind::equal) box = boxes[0];
  }
  return boxes;
}

TestBox united(const TestBox& a, const TestBox& b) {
  TestBox both;
  for (size_t axis = 0; axis < 3; ++axis) {
    both.low[axis] = lower(a.low[axis], b.low[axis]);
    both.high[axis] = upper(a.high[axis], b.high[axis]);
  }
  return both;
}

float surface_area(const TestBox& box) {
  // Volatile, so that no product is contracted with an addition.
  volatile float size[3], products[3];
  for (size_t axis = 0; axis < 3; ++axis) {
    size[axis] = box.high[axis] - box.low[axis];
    if (!(size[axis] >= 0)) return 0;
  }
  for (size_t axis = 0; axis < 3; ++axis) products[axis] = size[axis] * size[(axis + 1) % 3];
  return 2 * (products[0] + products[1] + products[2]);
}

}  // namespace weft::test

#include "check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>

#include "barriers.h"

namespace {

[[noreturn]] void differs(const std::string& what) { throw std::runtime_error(what + " differs from the CPU's"); }

/// Compares bytes; both have one size.
template <typename T>
void check_same(const char* what, std::span<const T> got, const std::vector<T>& expected) {
  const auto bytes = [](const T& value) { return std::as_bytes(std::span(&value, 1)); };
  for (size_t i = 0; i < got.size(); ++i) {
    if (!std::ranges::equal(bytes(got[i]), bytes(expected[i]))) differs(what + (" " + std::to_string(i)));
  }
}

/// The GPU may contract and reorder the simulation's arithmetic.
void check_simulation(const Snapshot& now, const Snapshot& before, const Step& step) {
  const std::vector<Particle> expected = simulated(before, step);
  if (now.counters().moved != expected.size()) differs("the number of particles after the simulation");
  const auto got = now.array<Particle>(now.layout().moved, expected.size());
  const auto far = [](float a, float b) { return !(std::abs(a - b) <= 1e-5f * std::max(1.f, std::abs(b))); };
  for (size_t i = 0; i < expected.size(); ++i) {
    bool wrong = far(got[i].age, expected[i].age) || far(got[i].life, expected[i].life);
    for (size_t c = 0; c < 3; ++c) {
      wrong |= far(got[i].position[c], expected[i].position[c]) || far(got[i].velocity[c], expected[i].velocity[c]);
    }
    if (wrong) differs("particle " + std::to_string(i) + " after the simulation");
  }
}

void check_living(const Snapshot& now) {
  std::vector<Particle> expected;
  std::ranges::copy_if(now.array<Particle>(now.layout().moved, now.counters().moved), std::back_inserter(expected),
                       [](const Particle& p) { return p.age < p.life; });
  if (now.counters().draw.instanceCount != expected.size()) differs("the number of living particles");
  check_same("living particle", now.array<Particle>(now.layout().living, expected.size()), expected);
  const VkDrawIndirectCommand& draw = now.counters().draw;
  if (draw.vertexCount != 4 || draw.instanceCount != expected.size() || draw.firstVertex != 0 ||
      draw.firstInstance != 0) {
    differs("the draw command");
  }
  const VkDispatchIndirectCommand& groups = now.counters().groups;
  const uint64_t wanted = (expected.size() + Particles::group_size - 1) / Particles::group_size;
  if (groups.x != wanted || groups.y != 1 || groups.z != 1) differs("the dispatch command");
}

/// Both sorts are stable, so their results are known exactly.
void check_order(const Snapshot& now, const Step& step) {
  const ParticleLayout& layout = now.layout();
  const uint64_t count = now.counters().draw.instanceCount;
  const auto living = now.array<Particle>(layout.living, count);
  const auto depths = now.array<float>(layout.depths, count);
  for (size_t i = 0; i < count; ++i) {
    const auto& [x, y, z] = living[i].position;
    const auto& row = step.depth_row;
    if (!(std::abs(depths[i] - (row[0] * x + row[1] * y + row[2] * z + row[3])) <= 1e-5f)) {
      differs("the depth of particle " + std::to_string(i));
    }
  }
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::greater(), [&](uint32_t i) { return depths[i]; });
  check_same("the order's index", now.array<uint32_t>(layout.order, count), order);
}

void check_cells(const Snapshot& now) {
  const ParticleLayout& layout = now.layout();
  const uint64_t count = now.counters().draw.instanceCount;
  std::vector<uint32_t> cells, counts(cell_count), starts(cell_count), members(count);
  for (const Particle& p : now.array<Particle>(layout.living, count)) ++counts[cells.emplace_back(cell_of(p.position))];
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0u);
  std::iota(members.begin(), members.end(), 0u);
  std::ranges::stable_sort(members, {}, [&](uint32_t i) { return cells[i]; });
  check_same("the cell of particle", now.array<uint32_t>(layout.cells, count), cells);
  check_same("the count of cell", now.array<uint32_t>(layout.cell_counts, cell_count), counts);
  check_same("the start of cell", now.array<uint32_t>(layout.cell_starts, cell_count), starts);
  check_same("the cells' member", now.array<uint32_t>(layout.members, count), members);
}

/// The GPU rounds to 8 bits whenever it blends a disc.
void check_picture(const Snapshot& now, const Camera& camera, const Pictures& pictures, uint64_t frame) {
  const ParticleLayout& layout = now.layout();
  const uint64_t count = now.counters().draw.instanceCount;
  const VkExtent2D size = pictures.size();
  const auto expected = drawn(now.array<Particle>(layout.living, count), now.array<uint32_t>(layout.order, count),
                              camera, size.width, size.height);
  const std::span<const std::byte> pixels = pictures.pixels(frame);
  for (size_t i = 0; i < expected.size(); ++i) {
    for (size_t c = 0; c < 3; ++c) {
      if (!(std::abs(float(pixels[4 * i + c]) - 255 * expected[i][c]) <= 4)) {
        differs("pixel " + std::to_string(i % size.width) + "," + std::to_string(i / size.width));
      }
    }
  }
}

}  // namespace

Check::Check(const ParticleArrays& arrays, Memory& memory)
    : arrays_(arrays), memory_(memory), before_(arrays.layout, std::vector<std::byte>(arrays.layout.bytes)) {
  for (Memory::Part& copy : copies_) copy = memory.allocate(arrays.layout.bytes, true);
}

Check::~Check() {
  for (const Memory::Part& copy : copies_) memory_.release(copy);
}

void Check::record(const Frame& frame) {
  const Memory::Part& from = arrays_.part;
  const Memory::Part& to = copies_[Frames::slot(frame.number)];
  const Scope reads{VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT};
  memory_barrier(frame.commands, weft_wrote(), reads);
  const VkBufferCopy all{from.offset, to.offset, arrays_.layout.bytes};
  vkCmdCopyBuffer(frame.commands, from.buffer, to.buffer, 1, &all);
  memory_barrier(frame.commands, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT},
                 {VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT});
  memory_barrier(frame.commands, {VK_PIPELINE_STAGE_2_COPY_BIT}, weft_reads_and_writes());  // for the next frame
}

void Check::verify(uint64_t frame, const Step& step, const Camera& camera, const Pictures& pictures) {
  const auto* const copy = static_cast<const std::byte*>(copies_[Frames::slot(frame)].mapped);
  Snapshot now(arrays_.layout, std::vector<std::byte>(copy, copy + arrays_.layout.bytes));
  try {
    check_simulation(now, before_, step);
    check_living(now);
    check_order(now, step);
    check_cells(now);
    check_picture(now, camera, pictures, frame);
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("frame " + std::to_string(frame) + ": " + error.what());
  }
  before_ = std::move(now);
}

#include "particles.h"

#include <bit>
#include <cstddef>

#include "barriers.h"
#include "engine_kernels.h"

namespace {

using weft::Element;
using weft::Pointer;

/// The push constants of simulate.comp and measure.comp.
struct SimulateArguments {
  std::array<float, 3> emitter;
  float spread;
  Pointer<Particle> living, moved;
  Pointer<uint32_t> cell_starts, cell_counts, members, counters;
  uint32_t capacity, born, seed;
  float seconds;
};
struct MeasureArguments {
  std::array<float, 4> depth_row;
  Pointer<Particle> living;
  Pointer<float> depths;
  Pointer<uint32_t> cells, indices, counters;
};

Element particle() {
  return Element::structure<Particle>({{"position", &Particle::position},
                                       {"age", &Particle::age},
                                       {"velocity", &Particle::velocity},
                                       {"life", &Particle::life}});
}

uint64_t rounded(uint64_t bytes) { return (bytes + 255) / 256 * 256; }

}  // namespace

Particles::Particles(const weft::Device& device, const ParticleArrays& arrays)
    : capacity_(arrays.layout.capacity),
      simulate_(device.kernel(kernels::simulate())),
      measure_(device.kernel(kernels::measure())),
      bury_(device, particle(), weft::Selection::when("x.age < x.life"), capacity_),
      count_groups_(device, capacity_),
      by_depth_(device, Element::of<float>(), Element::of<uint32_t>(), capacity_, {.order = {.descending = true}}),
      by_cell_(device, Element::of<uint32_t>(), Element::of<uint32_t>(), capacity_,
               {.order = {.end_bit = std::bit_width(cell_count - 1)}}),
      count_cells_(device, Element::of<uint32_t>(), weft::Bins::even(cell_count, 0, cell_count), capacity_),
      start_cells_(device, Element::of<uint32_t>(), weft::Operator::sum(), cell_count),
      arena_(device, rounded(bury_.temporary_bytes()) + rounded(by_depth_.temporary_bytes()) +
                         rounded(by_cell_.temporary_bytes()) + rounded(start_cells_.temporary_bytes())) {
  const ParticleLayout& at = arrays.layout;
  const auto wrap = [&]<typename T>(weft::Buffer<T>& buffer, uint64_t offset, uint64_t count) {
    const Memory::Part& all = arrays.part;
    buffer = weft::vulkan::wrap_buffer<T>(
        device, {all.buffer, all.offset + offset, count * sizeof(T), all.address + offset}, count);
  };
  wrap(counters_, at.counters, sizeof(Counters) / sizeof(uint32_t));
  wrap(moved_count_, at.counters + offsetof(Counters, moved), 1);
  wrap(vertex_count_, at.counters + offsetof(Counters, draw.vertexCount), 1);
  wrap(living_count_, at.counters + offsetof(Counters, draw.instanceCount), 1);
  wrap(groups_, at.counters + offsetof(Counters, groups), 3);
  wrap(moved_, at.moved, capacity_);
  wrap(living_, at.living, capacity_);
  wrap(depths_, at.depths, capacity_);
  wrap(cells_, at.cells, capacity_);
  wrap(indices_, at.indices, capacity_);
  wrap(sorted_depths_, at.sorted_depths, capacity_);
  wrap(order_, at.order, capacity_);
  wrap(sorted_cells_, at.sorted_cells, capacity_);
  wrap(members_, at.members, capacity_);
  wrap(cell_counts_, at.cell_counts, cell_count);
  wrap(cell_starts_, at.cell_starts, cell_count);
}

void Particles::record(VkCommandBuffer commands, uint64_t frame, const Step& step) {
  // The last frame drew from memory that this one overwrites. Weft's own commands wait for its earlier ones.
  memory_barrier(commands, {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT},
                 weft_reads_and_writes());
  {
    weft::vulkan::Recording recording = arena_.record(commands, frame);
    if (frame == 1) clear(recording);
    simulate(recording, step);
    sort(recording, step);
    list_cells(recording);
  }
  memory_barrier(commands, weft_wrote(),
                 {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
                  VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT});
}

void Particles::clear(weft::Recorder& recorder) const {
  for (const auto* const words : {&counters_, &cell_counts_, &cell_starts_}) recorder.fill(*words, 0u);
  recorder.fill(vertex_count_, 4u);
}

void Particles::simulate(weft::vulkan::Recording& recording, const Step& step) const {
  recording.dispatch(simulate_, {(capacity_ + group_size - 1) / group_size},
                     SimulateArguments{step.emitter, step.spread, living_.pointer(), moved_.pointer(),
                                       cell_starts_.pointer(), cell_counts_.pointer(), members_.pointer(),
                                       counters_.pointer(), capacity_, step.born, step.seed, step.seconds});
  bury_.record(recording, {.input = moved_,
                           .output = living_,
                           .selected = living_count_,
                           .count = moved_count_,
                           .temporary = recording.scratch(bury_.temporary_bytes())});
}

void Particles::sort(weft::vulkan::Recording& recording, const Step& step) const {
  count_groups_.record(recording, {.groups = groups_, .group_size = group_size, .count = living_count_});
  recording.dispatch_indirect(measure_, groups_,
                              MeasureArguments{step.depth_row, living_.pointer(), depths_.pointer(), cells_.pointer(),
                                               indices_.pointer(), counters_.pointer()});
  by_depth_.record(recording, {.keys = depths_,
                               .values = indices_,
                               .keys_out = sorted_depths_,
                               .values_out = order_,
                               .count = living_count_,
                               .temporary = recording.scratch(by_depth_.temporary_bytes())});
}

void Particles::list_cells(weft::vulkan::Recording& recording) const {
  by_cell_.record(recording, {.keys = cells_,
                              .values = indices_,
                              .keys_out = sorted_cells_,
                              .values_out = members_,
                              .count = living_count_,
                              .temporary = recording.scratch(by_cell_.temporary_bytes())});
  count_cells_.record(recording, {.input = cells_, .output = cell_counts_, .count = living_count_});
  start_cells_.record(recording, {.input = cell_counts_,
                                  .output = cell_starts_,
                                  .count = cell_count,
                                  .temporary = recording.scratch(start_cells_.temporary_bytes())});
}

#include <algorithm>
#include <numeric>
#include <set>

#include <weft/glsl.h>
#include <weft/scan.h>
#include <weft/sort.h>
#include <weft/weft.h>

#include "tests/support/test.h"
#include "tests/support/vulkan_host/host.h"
#include "tests/vulkan/embedding/picture.h"

using namespace weft;
using namespace weft::test;

/// Weft beside the host's rendering, by pictures that must not change.

namespace {

constexpr uint32_t key_count = 3000;

// With a uniform buffer at binding 0 of set 0, as the picture has.
constexpr const char* const scaling = R"(#version 460
  layout(local_size_x = 64) in;
  layout(binding = 0) uniform Scale { uint factor; };
  layout(binding = 1, std430) buffer Words { uint v[]; };
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < v.length()) v[i] *= factor;
  })";

/// Work of Weft's with every kind of command: a plan, a kernel with bindings, fills, and copies by kernels and by the
/// driver.
struct Work {
  Work(Host& host, const Device& device)
      : sort(device, Element::of<uint32_t>(), key_count),
        kernel(device.kernel_from_glsl(scaling)),
        block(host.make_buffer(64 * 1024, vulkan::buffer_usage() | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT)),
        keys(vulkan::wrap_buffer<uint32_t>(device, block.part(0, 4 * key_count), key_count)),
        copies(vulkan::wrap_buffer<uint8_t>(device, block.part(32 * 1024, 8 * 1024), 8 * 1024)),
        factor(vulkan::wrap_buffer<uint32_t>(device, block.part(48 * 1024, 4), 1)) {
    *block.as<uint32_t>(48 * 1024) = 2;
    for (uint32_t i = 0; i < key_count; ++i) block.as<uint32_t>()[i] = i * 2654435761u % 1000003;
    expected.assign(block.as<uint32_t>(), block.as<uint32_t>() + key_count);
    std::ranges::sort(expected);
    for (uint32_t& x : expected) x *= 2;
  }

  void record(Recorder& recorder, const Region& temporary) const {
    recorder.fill(copies, uint8_t{7});
    sort.record(recorder, {.keys = keys, .keys_out = keys, .count = key_count, .temporary = temporary});
    recorder.dispatch(kernel, {(key_count + 63) / 64, 1, 1}, Arguments().bind(0, 0, factor).bind(0, 1, keys));
    recorder.copy<uint8_t>(copies.part(1, 5), copies.part(4098, 5));
    recorder.copy<uint8_t>(copies.part(16, 64), copies.part(4096 + 16, 64));
  }
  void check() const {
    check_same(std::vector<uint32_t>(block.as<uint32_t>(), block.as<uint32_t>() + key_count), expected);
    CHECK_EQ(block.as<uint8_t>(32 * 1024)[4100], 7);
  }

  Sort sort;
  Kernel kernel;
  HostMemoryBlock block;
  Buffer<uint32_t> keys;
  Buffer<uint8_t> copies;
  Buffer<uint32_t> factor;
  std::vector<uint32_t> expected;
};

/// A picture that shows something: the triangle has many colours.
void check_drawn(const std::vector<uint32_t>& pixels) {
  CHECK_GE(std::set<uint32_t>(pixels.begin(), pixels.end()).size(), 100);
}

}  // namespace

TEST_CASE("graphics state that the host has bound survives a Recording") {
  Host host;
  Picture picture(host);
  const std::vector<uint32_t> expected = picture.render();
  check_drawn(expected);
  const Device device = vulkan::wrap_device(host.description());
  const Work work(host, device);
  vulkan::RecordingArena arena(device, work.sort.temporary_bytes());
  check_same(picture.render([&](VkCommandBuffer commands) {
    vulkan::Recording recording = arena.record(commands, 1);
    work.record(recording, recording.scratch(work.sort.temporary_bytes()));
  }),
             expected);
  work.check();
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("draws read vertices that a Recording wrote, after a barrier with last_access()") {
  Host host;
  Picture picture(host);
  const std::vector<uint32_t> expected = picture.render();
  const Device device = vulkan::wrap_device(host.description());
  vulkan::prepare(device);
  vulkan::RecordingArena arena(device);
  constexpr uint64_t coordinates = 2 * Picture::corners;
  const HostMemoryBlock block = host.make_buffer(1024);
  std::copy_n(picture.vertices().as<float>(), coordinates, block.as<float>());
  const auto source = vulkan::wrap_buffer<float>(device, block.all(), coordinates);
  const auto vertices = vulkan::wrap_buffer<float>(device, picture.vertices().all(), coordinates);
  std::fill_n(picture.vertices().as<float>(), coordinates, 0.0f);
  check_same(picture.render([&](VkCommandBuffer commands) {
    arena.record(commands, 1).copy(source, vertices);
    const vulkan::Access last = vulkan::last_access();
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = VkAccessFlags(last.accesses);
    memory.dstAccessMask = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT;
    host.vkCmdPipelineBarrier(commands, VkPipelineStageFlags(last.stages), VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, 0, 1,
                              &memory, 0, nullptr, 0, nullptr);
  }),
             expected);
  CHECK_EQ(host.messages(), 0);
}

TEST_CASE("the host draws the same picture before Weft, beside it and after it is gone") {
  Host host;
  Picture picture(host);
  const std::vector<uint32_t> before = picture.render();
  check_drawn(before);
  for (int round = 0; round < 2; ++round) {
    {
      const Device device = vulkan::wrap_device(host.description());
      const Work work(host, device);
      vulkan::RecordingArena arena(device);
      Stream stream = device.stream();
      work.record(stream, stream.scratch(work.sort.temporary_bytes()));
      stream.submit();
      check_same(picture.render(), before);
      check_same(stream.download(work.keys.view()), work.expected);
      // The picture's own buffer, which it draws from again below.
      const auto vertices = vulkan::wrap_buffer<float>(device, picture.vertices().all(), 2 * Picture::corners);
      host.run([&](VkCommandBuffer commands) { arena.record(commands, 0).fill(vertices, 0.0f); });
      picture.reset_vertices();
    }
    check_same(picture.render(), before);
  }
  Picture other(host);  // New objects work too.
  check_same(other.render(), before);
  CHECK_EQ(Host::live_allocations(), 0);
  CHECK_EQ(host.messages(), 0);
}

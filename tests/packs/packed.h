#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weft/pack.h>
#include <weft/sort.h>

#include "tests/support/files.h"
#include "tests/support/memory_cache.h"
#include "tests/support/test.h"
#include "tools/pack/pack_maker.h"

/// Packs of lists, and devices that take their kernels from them.
namespace weft::test {

inline tools::PlanList list_of(const std::vector<std::string>& lines) {
  const TemporaryFolder folder;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  folder.write("list", text);
  return tools::PlanList::read(folder.path() / "list");
}

inline std::vector<std::byte> pack_for(const Device& device, const std::vector<std::string>& lines) {
  tools::PackRequest request;
  request.devices = {device.info().selector};
  request.options = device.options();
  return tools::make_pack(list_of(lines), request).bytes;
}

/// Entries that only what no pack has makes; pipelines are the driver's.
inline size_t compiled_entries(const MemoryCache& cache) {
  return size_t(std::ranges::count_if(cache.entries, [](const auto& e) { return !e.first.starts_with("vulkan"); }));
}

/// The device again, with these packs and an empty cache.
struct Packed {
  Packed(const Device& device, const std::vector<std::span<const std::byte>>& packs)
      : Packed(device, packs, device.options()) {}
  Packed(const Device& device, const std::vector<std::span<const std::byte>>& packs, DeviceOptions options) {
    options.cache = cache;
    for (const auto& bytes : packs) options.packs.push_back(Pack::in_memory(bytes, "test"));
    packed = std::make_unique<Device>(open_device(device.info().selector, options));
  }
  size_t compiled() const { return compiled_entries(*cache); }

  std::shared_ptr<MemoryCache> cache = std::make_shared<MemoryCache>();
  std::unique_ptr<Device> packed;
};

inline std::vector<uint32_t> sorted_on(const Device& device, const std::vector<uint32_t>& data) {
  Stream stream = device.stream();
  const Buffer<uint32_t> keys = device.buffer<uint32_t>(data.size());
  stream.upload(keys, data);
  sort(stream, keys);
  return stream.download(keys);
}

}  // namespace weft::test

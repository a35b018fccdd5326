#include "tests/stand_ins/cuda_on_cpu/cubin.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>

#include "tests/stand_ins/emulated_gpu/source.h"

namespace weft::test::cuda_on_cpu {
namespace {

struct Header {
  char magic[8];
  uint64_t kind;
  uint64_t bytes;
  uint32_t architecture;
  uint32_t ptx;
};
// A driver refuses code of another kind, as after a driver update, or when a cache is copied to another machine.
uint64_t kind() {
  const char* name = std::getenv("WEFT_CUDA_ON_CPU_CODE");
  return emulation_version() + (name ? std::hash<std::string_view>()(name) : 0);
}

constexpr char magic[8] = {'C', 'P', 'U', 'c', 'u', 'b', 'i', 'n'};

}  // namespace

std::vector<std::byte> wrap(const Cubin& cubin) {
  Header header{{}, kind(), cubin.shared_object.size(), cubin.architecture, cubin.ptx};
  std::memcpy(header.magic, magic, sizeof(magic));
  std::vector<std::byte> image(sizeof(header) + cubin.shared_object.size());
  std::memcpy(image.data(), &header, sizeof(header));
  std::memcpy(image.data() + sizeof(header), cubin.shared_object.data(), cubin.shared_object.size());
  return image;
}

Cubin unwrap(const void* image) {
  if (std::memcmp(image, magic, sizeof(magic)) != 0)
    return {};  // checked first: the image may be shorter than a header
  Header header;
  std::memcpy(&header, image, sizeof(header));
  if (header.kind != kind() || std::getenv("WEFT_CUDA_ON_CPU_REFUSES")) return {};
  return {header.architecture, header.ptx != 0, {static_cast<const std::byte*>(image) + sizeof(header), header.bytes}};
}

}  // namespace weft::test::cuda_on_cpu

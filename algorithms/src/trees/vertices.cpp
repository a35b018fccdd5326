#include "algorithms/src/trees/vertices.h"

#include <algorithm>
#include <string>

#include "core/src/runtime/messages.h"

namespace weft::algorithms {
namespace {

constexpr uint32_t point_bytes = 12;

}  // namespace

void check_vertex_bytes(const char* primitive, uint32_t vertex_bytes) {
  if (vertex_bytes >= point_bytes && vertex_bytes % 4 == 0) return;
  core::invalid(primitive,
                "'vertex_bytes' is " + std::to_string(vertex_bytes) + "; it must be a multiple of 4, and at least 12.");
}

void check_vertices(ArgumentChecks& checks, const Region& vertices, uint32_t vertex_bytes, uint64_t count) {
  if (vertex_bytes == 0) return checks.empty("vertices", vertices, "the primitives are not triangles by index");
  if (count == 0) return;
  checks.region("vertices", vertices, std::max<uint64_t>(vertices.bytes, point_bytes), 4);
}

void define_vertices(KernelMaker& maker, uint32_t vertex_bytes) {
  if (vertex_bytes > 0) maker.define("WEFT_VERTEX_BYTES", std::to_string(vertex_bytes) + "u");
}

}  // namespace weft::algorithms

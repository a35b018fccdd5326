#pragma once

#include <cstdint>
#include <optional>

#include <weft/find_neighbours.h>
#include <weft/kernel.h>
#include <weft/lbvh.h>
#include <weft/sort.h>
#include <weft/stream.h>
#include <weft/tuning.h>

#include "algorithms/src/base/checks.h"
#include "algorithms/src/base/temporary_layout.h"
#include "algorithms/src/trees/kd_points.h"

namespace weft::algorithms {

/// Half the edge of a box that holds all neighbours of a point: the radius with room for the rounding of coordinates,
/// differences and squares, and for squares that count as zero because they are denormal. Also the edge of a cell.
float reach_of(float radius);

/// Addresses of what a search reads: of a grid the first two, of a hierarchy the others.
struct SearchedPoints {
  uint64_t keys = 0, sorted = 0, nodes = 0, indices = 0, bounds = 0;
};

/// Brings points into an order in which neighbours are found: that of a grid's cells, or a hierarchy.
class NeighbourSearch {
 public:
  NeighbourSearch(const Device& device, const KdPoints& points, uint64_t max_count, FindNeighbours::Method method,
                  const std::optional<Tuning>& tuning);

  uint64_t temporary_bytes() const { return storage_.layout.bytes(); }
  SearchedPoints record(Recorder& recorder, const Region& points, float cell, const Count& count,
                        const ResolvedCount& resolved, const Region& temporary) const;

 private:
  struct Storage {
    /// Of what a method does not have, 0 bytes.
    Storage(uint64_t cells, uint64_t leaves, uint64_t steps_bytes);

    TemporaryLayout layout;
    TemporaryLayout::Part keys, sorted, nodes, leaf_parents, bounds, indices, steps;
  };

  void sort(Recorder& recorder, const Region& points, float cell, const Count& count, const ResolvedCount& resolved,
            const Region& temporary) const;

  DeviceLimits limits_;
  Tiling tiling_;
  std::optional<Sort> sort_;
  Kernel keys_, sorted_;
  std::optional<Lbvh> hierarchy_;
  Storage storage_;
};

}  // namespace weft::algorithms

#pragma once

namespace weft {

/// How tiles get their carry, the total of all tiles before them.
enum class TilePath {
  automatic,  ///< look_back if the device guarantees forward progress between workgroups, else reduce_then_scan.
  look_back,  ///< One pass in which a tile waits for its predecessors' totals (Merrill and Garland 2016, decoupled
              ///< look-back).
  reduce_then_scan,  ///< Three dispatches: totals, their scan, tiles. No workgroup waits for another (Blelloch 1990,
                     ///< prefix sums).
};

}  // namespace weft

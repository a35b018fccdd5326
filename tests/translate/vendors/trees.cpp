#include <weft/kd_tree.h>

#include "plans.h"

namespace weft::test {

void kd_trees(Plans& plans) {
  for (const uint32_t dimensions : {2u, 3u}) {
    const std::string in = " in " + std::to_string(dimensions) + " dimensions";
    plans.make<KdTree>("kd-tree" + in, dimensions, counts[0]);
    plans.make<KdNearest>("8 neighbours" + in, dimensions, 8u, counts[0]);
  }
  plans.make<KdNearest>("32 neighbours", 3u, KdNearest::most_neighbours, counts[0]);
}

}  // namespace weft::test

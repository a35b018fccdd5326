// The rows of the C++ standard library, on one thread of the CPU and, through TBB, on all of them.
#include "bench/peer/cpp/rows.h"

#include <oneapi/tbb/version.h>

#include <thread>

#include "bench/peer/cpp/families.h"

namespace weft::peer {

std::string library_name() {
  return "C++ standard library, compiler " __VERSION__ ", TBB " TBB_VERSION_STRING ", " +
         std::to_string(std::thread::hardware_concurrency()) + " threads";
}

Row find_row(const weft_peer_problem& problem) {
  for (const auto& find : {find_scan_row, find_select_row, find_histogram_row, find_sort_row, find_kernel_row}) {
    if (Row row = find(problem); !row.empty()) return row;
  }
  return {};
}

}  // namespace weft::peer

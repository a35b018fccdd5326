#pragma once

#include "bench/peer/cpp/rows.h"

namespace weft::peer {

/// Returns the forms of the row for the problem; none if that file does not have it.
Row find_scan_row(const weft_peer_problem& problem);
Row find_select_row(const weft_peer_problem& problem);
Row find_histogram_row(const weft_peer_problem& problem);
Row find_sort_row(const weft_peer_problem& problem);
Row find_kernel_row(const weft_peer_problem& problem);

}  // namespace weft::peer

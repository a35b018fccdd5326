#pragma once

#include "bench/report.h"
#include "tools/support/output_file.h"

namespace weft::bench {

/// Throws io_failed when gnuplot is missing; called before a long benchmark, so that it is not run in vain.
void require_gnuplot();

/// Draws bytes moved per second over elements, one curve for each primitive, type and device, as an SVG picture. Throws
/// io_failed when gnuplot is missing or fails, invalid_argument when there is nothing to draw. Does not commit the
/// file.
void plot(const Report& report, const tools::OutputFile& svg);

}  // namespace weft::bench

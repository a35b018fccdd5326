#pragma once

#include <string>

#include "bench/report/report.h"
#include "support/output_file.h"

namespace weft::bench {

/// Draws a picture, SVG or PNG by its name: bytes moved per second against the number of elements, with a curve for
/// each primitive, type and device. With a peer's results, draws peer_script() instead. Throws io_failed if gnuplot is
/// missing or fails, invalid_argument if there is nothing to draw. Does not commit the file.
void plot(const Report& report, const support::OutputFile& picture);

/// Returns gnuplot's script for results with a peer: our speed as a multiple of the peer's. Each size has a panel, each
/// primitive and type a group of bars, and each device a bar. The script writes `file`, in the format given by the name
/// of `picture`.
std::string peer_script(const Report& report, const std::string& picture, const std::string& file);

}  // namespace weft::bench

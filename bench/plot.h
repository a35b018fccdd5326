#pragma once

#include <string>

#include "bench/report.h"
#include "tools/support/output_file.h"

namespace weft::bench {

/// Draws a picture, SVG or PNG by its name: bytes moved per second over elements, one curve for each primitive, type
/// and device; or, of results beside a peer, peer_script(). Throws io_failed when gnuplot is missing or fails,
/// invalid_argument when there is nothing to draw. Does not commit the file.
void plot(const Report& report, const tools::OutputFile& picture);

/// What gnuplot draws of results beside a peer: how many times as fast ours are, one panel for each size with a group
/// of bars for each primitive and type, and a bar for each device. Written into `file`, in the format that the name of
/// `picture` tells.
std::string peer_script(const Report& report, const std::string& picture, const std::string& file);

}  // namespace weft::bench

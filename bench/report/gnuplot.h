#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/report/report.h"

namespace weft::bench {

/// Throws invalid_argument if the picture's name ends in neither .svg nor .png, and io_failed if gnuplot is missing or
/// has no terminal for that format, and unsupported on Windows. Called before a long benchmark, so that it does not run
/// in vain.
void require_gnuplot(const std::string& picture);

/// Runs the script with gnuplot. Returns whether it succeeded. Throws io_failed if gnuplot is missing.
bool run_gnuplot(const std::string& script);

/// Returns the start of a script: the terminal for a picture of that name and size, written to `file`.
std::string output_commands(const std::string& picture, const std::string& file, uint32_t width, size_t height);

/// Quotes a string for gnuplot, in single quotes.
std::string in_quotes(const std::string& text);
/// Returns distinguishable colours, in gnuplot's notation.
const char* colour(size_t index);
/// Returns the devices' names, for a title.
std::string devices_of(const Report& report);

}  // namespace weft::bench

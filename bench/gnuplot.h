#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/report.h"

namespace weft::bench {

/// Throws invalid_argument where the picture's name ends in neither .svg nor .png, and io_failed where gnuplot is
/// missing or has no terminal for it; called before a long benchmark, so that it is not run in vain.
void require_gnuplot(const std::string& picture);

/// Whether gnuplot ran the script to its end. Throws io_failed when gnuplot is missing.
bool run_gnuplot(const std::string& script);

/// What a script begins with: the terminal for a picture of that name and size, to be written into `file`.
std::string output_commands(const std::string& picture, const std::string& file, uint32_t width, size_t height);

/// As gnuplot reads a string in single quotes.
std::string in_quotes(const std::string& text);
/// Colours that are told apart, as gnuplot reads them.
const char* colour(size_t index);
/// The devices' names, for a title.
std::string devices_of(const Report& report);

}  // namespace weft::bench

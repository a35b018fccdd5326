#pragma once

#include <cstddef>
#include <string>

#include "bench/report.h"

namespace weft::bench {

/// Throws io_failed when gnuplot is missing; called before a long benchmark, so that it is not run in vain.
void require_gnuplot();

/// Whether gnuplot ran the script to its end. Throws io_failed when gnuplot is missing.
bool run_gnuplot(const std::string& script);

/// As gnuplot reads a string in single quotes.
std::string in_quotes(const std::string& text);
/// Colours that are told apart, as gnuplot reads them.
const char* colour(size_t index);
/// The devices' names, for a title.
std::string devices_of(const Report& report);

}  // namespace weft::bench

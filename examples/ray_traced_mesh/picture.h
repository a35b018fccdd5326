#pragma once

#include <string>

#include "renderer.h"

/// Writes a PNG file: the scene, and right of it the number of nodes that each pixel's rays read, from black (none) by
/// blue, red and yellow to white (the most). Throws std::runtime_error if it cannot be written.
void write_picture(const std::string& file, const View& view, const std::vector<Pixel>& pixels);

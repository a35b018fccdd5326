#pragma once

#include <string>
#include <vector>

#include "body.h"

/// Draws the bodies in the cube from -1 to 1, seen from the front, and writes the picture as PNG. The more bodies a
/// body touches, the warmer its color.
void write_picture(const std::string& file, const std::vector<Body>& bodies);

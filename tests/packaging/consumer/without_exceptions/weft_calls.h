#pragma once

#include <functional>
#include <string>

/// Runs `work`. Returns Weft's error, or "".
std::string error_of(const std::function<void()>& work);

#pragma once

#include <charconv>
#include <string>

namespace weft::algorithms {

/// A float or double in messages: the fewest digits that give it back, such as "0.1" and "1e+300".
template <typename T>
std::string number_text(T x) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof(text), x).ptr};
}

}  // namespace weft::algorithms

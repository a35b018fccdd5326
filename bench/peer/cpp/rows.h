#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/peer/interface.h"

namespace weft::peer {

/// The arrays of one set.
struct Arrays {
  std::vector<const void*> inputs;
  std::vector<void*> outputs;

  template <class T>
  const T* in(size_t i) const {
    return static_cast<const T*>(inputs[i]);
  }
  template <class T>
  T* out(size_t i) const {
    return static_cast<T*>(outputs[i]);
  }
};

/// One way in which a library does a row.
struct Form {
  const char* name;
  std::function<void(const Arrays& arrays)> run;
};
using Row = std::vector<Form>;

constexpr const char* on_one_thread = "one thread";
constexpr const char* in_parallel = "par_unseq";

/// The library's name and version, and the forms of the row for the problem; none if the library does not have it.
std::string library_name();
Row find_row(const weft_peer_problem& problem);

/// Whether the problem asks for that row with inputs of these types.
inline bool asks(const weft_peer_problem& problem, const std::string& row, const std::vector<std::string>& types) {
  if (problem.row != row || problem.input_count != types.size()) return false;
  for (size_t i = 0; i < types.size(); ++i) {
    if (problem.inputs[i].type != types[i]) return false;
  }
  return true;
}

}  // namespace weft::peer

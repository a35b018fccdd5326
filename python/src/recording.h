#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "python/src/array.h"
#include "python/src/stream.h"

/// The order of work on memory that several streams use.
namespace weft::python {

/// The memory of the arrays among the arguments of a call.
std::vector<Memory*> memory_in(const nb::dict& arguments);
/// The points that a stream has to wait for, of other streams that used this memory last.
std::vector<Event> points_before(const OpenStream& stream, const std::vector<Memory*>& used);
/// Notes that the stream has used the memory. Its owner waits for that, and so does this if the process sees it.
void follow(OpenStream& stream, const std::vector<Memory*>& used);

}  // namespace weft::python

#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <string>

#include "python/src/argument_reader.h"

namespace weft::python {

class OpenStream;

/// A plan of any class, made from a line of text (algorithms/src/plans).
class AnyPlan {
 public:
  virtual ~AnyPlan() = default;
  virtual const char* name() const = 0;
  virtual void record(Stream& stream, ArgumentReader& arguments) const = 0;
  /// Throws a TypeError if the plan has no refit.
  virtual void refit(Stream& stream, ArgumentReader& arguments) const = 0;
  /// Seconds that C++ takes to record the plan so many times, for python/bench.
  virtual double seconds_to_record(OpenStream& stream, ArgumentReader& arguments, uint64_t times) const = 0;
  virtual uint64_t temporary_bytes() const = 0;
  /// The plan's properties by name: temporary_bytes, ...
  virtual nb::dict properties() const = 0;
};

/// Throws invalid_argument if the line is that of no plan, and what the plan's constructor throws. Takes no GIL.
std::unique_ptr<AnyPlan> make_plan(const Device& device, const std::string& line);

}  // namespace weft::python

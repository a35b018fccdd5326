#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <weft/device.h>

namespace weft::tools {

/// A plan that may be made on any device.
class ListedPlan {
 public:
  virtual ~ListedPlan() = default;
  virtual std::string line() const = 0;
  /// Makes the plan, and forgets it.
  virtual void make(const Device& device) const = 0;
  /// The field max_count, or 0 for a plan without one; and the same plan for another maximum.
  virtual uint64_t max_count() const = 0;
  virtual std::unique_ptr<ListedPlan> with_max_count(uint64_t count) const = 0;

  /// Reads a line. Throws invalid_argument, saying what was expected, if it names no plan or has a wrong field.
  static std::unique_ptr<ListedPlan> parse(const std::string& line);
};

}  // namespace weft::tools

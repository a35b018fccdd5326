#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "backends/translate/module.h"

namespace weft::translate {

/// Names for the emitted code: the source's own, made fit for C++ and each used once.
class Names {
 public:
  explicit Names(const Module& module) : module_(module) {}

  /// The name of an id; the same at each call.
  const std::string& of(Id id);
  /// A new name that starts like `wish`.
  std::string unique(const std::string& wish);
  /// The name as the source has it, for messages; "%12" without one.
  std::string in_source(Id id) const;

  /// Fit for C++: letters, digits and single underscores, no keyword, nothing that the prelude uses.
  static std::string sanitised(const std::string& name, const std::string& otherwise);

 private:
  const Module& module_;
  std::unordered_map<Id, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, uint32_t> tried_;  ///< How many numbers behind a wish are taken.
};

}  // namespace weft::translate

#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "backends/translate/module.h"

namespace weft::translate {

/// Names for the emitted code: the source's names, made valid in C++ and unique.
class Names {
 public:
  explicit Names(const Module& module) : module_(module) {}

  /// The name of an id. Always the same for an id.
  const std::string& of(Id id);
  /// A new name that starts like `wish`.
  std::string unique(const std::string& wish);
  /// The name in the source, for messages; "%12" if it has none.
  std::string in_source(Id id) const;

  /// Makes a valid C++ name: letters, digits and single underscores, no keyword, no name of the prelude.
  static std::string sanitised(const std::string& name, const std::string& otherwise);

 private:
  const Module& module_;
  std::unordered_map<Id, std::string> names_;
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, uint32_t> tried_;  ///< Number of suffixes already used, by requested name.
};

}  // namespace weft::translate

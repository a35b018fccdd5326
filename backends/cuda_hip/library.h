#pragma once

#include <string>
#include <vector>

#include "core/src/platform/library.h"

namespace weft::cuda_hip {

/// A shared library, opened at run time. It stays loaded when this object is destroyed: drivers have threads and
/// handlers of their own, which do not survive unloading.
class Library {
 public:
  struct Search {
    std::string what;                ///< "the CUDA driver", for messages.
    const char* variable;            ///< The environment variable that names a file by default, for messages.
    std::string file;                ///< The only file to try; empty: `names`.
    std::vector<std::string> names;  ///< Files to try, best first.
    std::string remedy;              ///< Advice: "install NVIDIA's driver".
  };
  /// Throws unsupported, listing the names tried, if none opens.
  explicit Library(const Search& search);
  Library(const Library&) = delete;

  /// The name under which it was opened.
  const std::string& name() const { return name_; }
  /// Returns null if it has no such symbol.
  void* find(const char* symbol) const;
  /// Throws unsupported if it has no such symbol.
  template <class Function>
  void load(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(required(symbol));
  }

 private:
  void* required(const char* symbol) const;

  std::string what_, name_;
  core::DynamicLibrary library_;
};

}  // namespace weft::cuda_hip

#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

#include <weft/error.h>

namespace weft::test {

/// A shared library that is opened at run time and stays open.
class Library {
 public:
  /// Opens the first of `names` that can be opened. If none can, throws unsupported with `what` and the reasons.
  Library(const std::string& what, const std::vector<std::string>& names) : what_(what) {
    std::string reasons;
    for (const std::string& name : names) {
      handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_) return;
      reasons += std::string(" ") + dlerror() + ".";
    }
    throw Error(ErrorCode::unsupported, what + " is not here:" + reasons);
  }

  template <class Function>
  Function* function(const char* name) const {
    void* const found = dlsym(handle_, name);
    if (!found) throw Error(ErrorCode::unsupported, what_ + " lacks " + name + ".");
    return reinterpret_cast<Function*>(found);
  }

 private:
  std::string what_;
  void* handle_ = nullptr;
};

}  // namespace weft::test

#include "backends/driver/library.h"

#include <dlfcn.h>

#include <weft/error.h>
#include <cstdlib>

namespace weft::driver {

namespace {

void* opened(const std::string& name) { return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

Library::Library(const Search& search) : what_(search.what) {
  if (const char* given = std::getenv(search.variable); given && *given) {
    name_ = given;
    handle_ = opened(name_);
    if (handle_) return;
    throw Error(ErrorCode::unsupported, std::string(search.variable) + " names " + name_ + " for " + what_ +
                                            ", which cannot be opened: " + dlerror());
  }
  std::string broken;  // A file that is there and does not open says more than that others are not there.
  for (const std::string& name : search.names) {
    handle_ = opened(name);
    if (handle_) {
      name_ = name;
      return;
    }
    const std::string reason = dlerror();
    if (!reason.starts_with(name + ": cannot open shared object file: No such file")) broken += "; " + reason;
  }
  throw Error(ErrorCode::unsupported, what_ + " is not found (" + listed(search.names) + ")" + broken + "; " +
                                          search.remedy + ", or name its file in " + search.variable);
}

Library::~Library() { dlclose(handle_); }

void* Library::find(const char* symbol) const { return dlsym(handle_, symbol); }

void* Library::required(const char* symbol) const {
  void* const found = find(symbol);
  if (!found) throw Error(ErrorCode::unsupported, what_ + " (" + name_ + ") has no function " + symbol);
  return found;
}

}  // namespace weft::driver

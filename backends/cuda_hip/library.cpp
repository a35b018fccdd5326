#include "backends/cuda_hip/library.h"

#include <optional>

#include <weft/error.h>

#include "core/src/platform/trust.h"

namespace weft::cuda_hip {

namespace {

core::DynamicLibrary opened(const std::string& name) {
  return core::DynamicLibrary(name, core::DynamicLibrary::Stays::for_good);
}

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

}  // namespace

Library::Library(const Search& search) : what_(search.what) {
  if (!search.file.empty()) {
    name_ = search.file;
    const std::string given = name_ + ", which DeviceOptions::libraries or " + search.variable + " names for " + what_;
    // A name without a folder is searched in the system's library folders.
    const auto reason = name_.find('/') == std::string::npos ? std::nullopt : core::who_else_changes(name_);
    if (reason) {
      throw Error(ErrorCode::unsupported, given + ", was refused: " + *reason +
                                              ". Make it this user's or root's alone (" + core::restricting_commands +
                                              ")");
    }
    library_ = opened(name_);
    if (library_) return;
    throw Error(ErrorCode::unsupported, given + ", cannot be opened: " + library_.failure());
  }
  std::string broken;  // A file that exists but does not open is more informative than missing ones.
  for (const std::string& name : search.names) {
    library_ = opened(name);
    if (library_) {
      name_ = name;
      return;
    }
    if (!library_.is_missing()) broken += "; " + library_.failure();
  }
  throw Error(ErrorCode::unsupported, what_ + " is not found (" + listed(search.names) + ")" + broken + "; " +
                                          search.remedy + ", or name its file in " + search.variable);
}

void* Library::find(const char* symbol) const { return library_.find(symbol); }

void* Library::required(const char* symbol) const {
  void* const found = find(symbol);
  if (!found) throw Error(ErrorCode::unsupported, what_ + " (" + name_ + ") has no function " + symbol);
  return found;
}

}  // namespace weft::cuda_hip

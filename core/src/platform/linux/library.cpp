#include "core/src/platform/library.h"

#include <dlfcn.h>

namespace weft::core {

DynamicLibrary::DynamicLibrary(const std::string& name, Stays stays) {
  library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL | (stays == Stays::for_good ? RTLD_NODELETE : 0));
  if (library_) return;
  failure_ = dlerror();
  is_missing_ = failure_.starts_with(name + ": cannot open shared object file: No such file");
}

DynamicLibrary::~DynamicLibrary() {
  if (library_) dlclose(library_);
}

void* DynamicLibrary::find(const char* symbol) const { return dlsym(library_, symbol); }

std::string library_file(std::string_view library, int version) {
  return "lib" + std::string(library) + ".so." + std::to_string(version);
}

std::string module_file(std::string_view module) { return "lib" + std::string(module) + ".so"; }

}  // namespace weft::core

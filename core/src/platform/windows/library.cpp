#include "core/src/platform/library.h"

#include <system_error>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/system.h"

namespace weft::core {

// Neither the current folder nor those of PATH are searched: others may write there.
DynamicLibrary::DynamicLibrary(const std::string& name, Stays stays) {
  const std::filesystem::path path = utf8_path(name);
  const DWORD beside = path.is_absolute() ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0;  // libraries that it needs
  HMODULE module = LoadLibraryExW(path.c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | beside);
  const DWORD error = GetLastError();
  if (module && stays == Stays::for_good) {
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                       reinterpret_cast<LPCWSTR>(module), &module);
  }
  library_ = module;
  if (library_) return;
  failure_ = name + ": " + std::system_category().message(static_cast<int>(error));
  is_missing_ = error == ERROR_MOD_NOT_FOUND;  // or one that it needs
}

DynamicLibrary::~DynamicLibrary() {
  if (library_) FreeLibrary(static_cast<HMODULE>(library_));
}

void* DynamicLibrary::find(const char* symbol) const {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library_), symbol));
}

std::string library_file(std::string_view library, int version) {
  return std::string(library) + "-" + std::to_string(version) + ".dll";
}

std::string module_file(std::string_view module) { return "lib" + std::string(module) + ".dll"; }

}  // namespace weft::core

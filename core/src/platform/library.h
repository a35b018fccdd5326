#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace weft::core {

/// A shared library that is opened at run time.
class DynamicLibrary {
 public:
  /// Drivers have threads and handlers of their own, which do not survive unloading.
  enum class Stays { with_object, for_good };

  DynamicLibrary() = default;
  /// Opens a path, or a file name, which the system searches in its folders. If it does not open, the object is false.
  explicit DynamicLibrary(const std::string& name, Stays stays = Stays::with_object);
  DynamicLibrary(DynamicLibrary&& other) noexcept { *this = std::move(other); }
  DynamicLibrary& operator=(DynamicLibrary&& other) noexcept {
    std::swap(library_, other.library_);
    std::swap(failure_, other.failure_);
    std::swap(is_missing_, other.is_missing_);
    return *this;
  }
  ~DynamicLibrary();

  explicit operator bool() const { return library_ != nullptr; }
  /// Why it does not open, in the system's words.
  const std::string& failure() const { return failure_; }
  /// Whether it does not open because there is no such file.
  bool is_missing() const { return is_missing_; }
  /// Returns null if it has no such symbol.
  void* find(const char* symbol) const;

 private:
  void* library_ = nullptr;
  std::string failure_;
  bool is_missing_ = false;
};

/// The file name of version `version` of a library: "libvulkan.so.1", "vulkan-1.dll".
std::string library_file(std::string_view library, int version);
/// The file name of a library of ours that is opened by its path: "libweft_cub_peer.so", "libweft_cub_peer.dll".
std::string module_file(std::string_view module);

}  // namespace weft::core

// Preloaded into a program, lets one file fail: WEFT_TEST_FAIL=read:in.bin:100 makes reading a file whose path ends with
// "in.bin" an error from byte 100 on, write:.tmp:100 writing one (the disk is full), close:.tmp:0 closing one.

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  char call[8] = "", suffix[256] = "";
  long long at = 0;
};

const Fault& fault() {
  static const Fault wanted = [] {
    Fault read;
    const char* text = std::getenv("WEFT_TEST_FAIL");
    if (!text || std::sscanf(text, "%7[^:]:%255[^:]:%lld", read.call, read.suffix, &read.at) != 3) return Fault{};
    return read;
  }();
  return wanted;
}

bool is_meant(int file, const char* call) {
  if (std::strcmp(fault().call, call) != 0) return false;
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  const ssize_t length = ::readlink(link, path, sizeof(path) - 1);
  const auto suffix = ssize_t(std::strlen(fault().suffix));
  return length >= suffix && std::memcmp(path + length - suffix, fault().suffix, size_t(suffix)) == 0;
}

// How much of `size` is left before the fault.
size_t left(int file, size_t size) {
  const long long position = ::lseek(file, 0, SEEK_CUR);
  const long long most = position < fault().at ? fault().at - position : 0;
  return size_t(most) < size ? size_t(most) : size;
}

template <typename Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t read(int file, void* data, size_t size) {
  static auto* const real = next<ssize_t(int, void*, size_t)>("read");
  if (!is_meant(file, "read")) return real(file, data, size);
  const size_t possible = left(file, size);
  if (possible != 0 || size == 0) return real(file, data, possible);
  errno = EIO;
  return -1;
}

ssize_t write(int file, const void* data, size_t size) {
  static auto* const real = next<ssize_t(int, const void*, size_t)>("write");
  if (!is_meant(file, "write")) return real(file, data, size);
  const size_t possible = left(file, size);
  if (possible != 0 || size == 0) return real(file, data, possible);
  errno = ENOSPC;
  return -1;
}

int close(int file) {
  static auto* const real = next<int(int)>("close");
  const bool fails = is_meant(file, "close");
  const int result = real(file);
  if (!fails) return result;
  errno = EIO;
  return -1;
}
}

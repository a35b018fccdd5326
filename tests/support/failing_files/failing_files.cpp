// Preloaded into a program, makes one file fail. With WEFT_TEST_FAIL=read:in.bin:100, reading a file whose path
// contains "in.bin" fails from byte 100 on. With write:.tmp:100 writing does (disk full), with close:.tmp:0 closing,
// and with rename:.tmp:0 giving it another name. With create:.tmp:15, signal 15 is raised right after such a file was
// created; with remove:.tmp:15, just before it is removed.

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  char call[8] = "", part[256] = "";
  long long at = 0;
};

const Fault& fault() {
  static const Fault wanted = [] {
    Fault read;
    const char* text = std::getenv("WEFT_TEST_FAIL");
    if (!text || std::sscanf(text, "%7[^:]:%255[^:]:%lld", read.call, read.part, &read.at) != 3) return Fault{};
    return read;
  }();
  return wanted;
}

bool is_meant(const char* path, ssize_t length, const char* call) {
  if (std::strcmp(fault().call, call) != 0 || length < 0) return false;
  return ::memmem(path, size_t(length), fault().part, std::strlen(fault().part)) != nullptr;
}

bool is_meant(const char* name, const char* call) { return is_meant(name, ssize_t(std::strlen(name)), call); }

bool is_meant(int file, const char* call) {
  char link[64], path[PATH_MAX];
  std::snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  return is_meant(path, ::readlink(link, path, sizeof(path) - 1), call);
}

// Returns how many of `size` bytes remain before the fault.
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

int openat(int folder, const char* name, int flags, ...) {
  static auto* const real = next<int(int, const char*, int, ...)>("openat");
  va_list arguments;
  va_start(arguments, flags);
  const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
  va_end(arguments);
  const int file = real(folder, name, flags, mode);
  if (file >= 0 && (flags & O_CREAT) != 0 && is_meant(name, "create")) ::raise(int(fault().at));
  return file;
}

int unlinkat(int folder, const char* name, int flags) {
  static auto* const real = next<int(int, const char*, int)>("unlinkat");
  // Once: the signal handler calls this too.
  if (static bool raised = false; !raised && is_meant(name, "remove")) {
    raised = true;
    ::raise(int(fault().at));
  }
  return real(folder, name, flags);
}

int renameat(int from, const char* name, int to, const char* new_name) {
  static auto* const real = next<int(int, const char*, int, const char*)>("renameat");
  if (!is_meant(name, "rename")) return real(from, name, to, new_name);
  errno = EIO;
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

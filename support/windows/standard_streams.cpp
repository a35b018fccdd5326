#include "support/standard_streams.h"

#include <fcntl.h>
#include <io.h>

#include <cstdio>
#include <memory>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/system.h"
// After the header above, which it needs.
#include <shellapi.h>

namespace weft::support {
namespace {

bool is_console(DWORD which) {
  DWORD mode = 0;
  return GetConsoleMode(GetStdHandle(which), &mode) != 0;
}

}  // namespace

// argv is in the machine's code page, which lacks most names.
std::vector<std::string> arguments_of(int, char**) {
  int count = 0;
  const std::unique_ptr<wchar_t*, decltype(&LocalFree)> wide(CommandLineToArgvW(GetCommandLineW(), &count), LocalFree);
  if (!wide) core::fail();
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(core::utf8_text(wide.get()[i]));
  return arguments;
}

void prepare_standard_streams() {
  SetConsoleOutputCP(CP_UTF8);
  for (std::FILE* stream : {stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
}

bool output_is_terminal() { return is_console(STD_OUTPUT_HANDLE); }

bool error_is_terminal() {
  const HANDLE error = GetStdHandle(STD_ERROR_HANDLE);
  DWORD mode = 0;
  return GetConsoleMode(error, &mode) && SetConsoleMode(error, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

}  // namespace weft::support

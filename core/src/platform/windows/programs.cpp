#include "core/src/platform/programs.h"

#include <system_error>

#include <weft/error.h>

namespace weft::core {

bool is_program(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

std::optional<int> run_program(const std::string& what, const std::vector<std::string>&, const std::filesystem::path&,
                               const std::filesystem::path&, std::chrono::nanoseconds, std::chrono::nanoseconds,
                               const std::function<void()>&) {
  throw Error(ErrorCode::unsupported,
              what + " cannot be started: this version of Weft compiles no kernels on Windows; take them from packs");
}

}  // namespace weft::core

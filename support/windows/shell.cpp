#include "support/shell.h"

#include <weft/error.h>

namespace weft::support {

int run_with_input(const std::string& what, const std::string&, const std::string&) {
  throw Error(ErrorCode::unsupported, what + " cannot be started: this version of Weft starts no programs on Windows");
}

}  // namespace weft::support

#include "tests/c/declared.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

namespace weft::test {

void check_all_called(const Calls& calls, const std::vector<std::string>& headers) {
  static const std::regex declaration(R"(\n(?:weft_result|const char\*) (weft_\w+)\()");
  const char* const folder = std::getenv("WEFT_TEST_C");
  if (!folder) return;
  for (const std::string& header : headers) {
    std::ifstream stream(std::filesystem::path(folder) / "include/weft" / header);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    size_t declared = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at, ++declared) {
      const std::string name = (*at)[1];
      CHECK_MESSAGE(calls.functions.contains(name), "no test calls " << name << " of " << header);
    }
    CHECK_MESSAGE(declared > 0, header << " declares nothing");
  }
}

}  // namespace weft::test

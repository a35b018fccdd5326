#include "backends/host/compiler.h"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <weft/error.h>
#include <optional>

#include "hand_written.h"
#include "tests/support/environment.h"

using namespace weft;
using namespace weft::host;
using Environment = weft::test::Environment;

namespace {

Error error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  FAIL("there was no error");
  throw 0;
}

}  // namespace

TEST_CASE("without a compiler the error says what to install") {
  const Environment path("PATH", "/nonexistent"), own("WEFT_CXX", nullptr), usual("CXX", nullptr);
  const Error error = error_of([] { Compiler::find(); });
  CHECK_EQ(error.code(), ErrorCode::unsupported);
  CHECK(std::string(error.what()).find("g++") != std::string::npos);
  CHECK(std::string(error.what()).find("WEFT_CXX") != std::string::npos);
}

TEST_CASE("a compiler that is named and missing is an error with its name") {
  const Environment own("WEFT_CXX", "no-such-compiler");
  const Error error = error_of([] { Compiler::find(); });
  CHECK_EQ(error.code(), ErrorCode::unsupported);
  CHECK(std::string(error.what()).find("no-such-compiler") != std::string::npos);
}

TEST_CASE("a compiler may be named with what starts it, and with options") {
  const Environment usual("CXX", nullptr), first("WEFT_CXX", "c++");
  const std::string plain = Compiler::find().identity();
  const Environment own("WEFT_CXX", "env  c++ -DANSWER=42");
  const Compiler compiler = Compiler::find();
  CHECK(!compiler.compile("int answer() { return ANSWER; }", "answer").empty());
  CHECK(compiler.identity().find("-DANSWER=42") != std::string::npos);
  // An update of the compiler behind the first word is seen as well.
  const std::string of_compiler = plain.substr(0, plain.find(" -std"));
  CHECK(compiler.identity().find(of_compiler) != std::string::npos);
  const Environment none("WEFT_CXX", "no-such-launcher c++");
  CHECK(std::string(error_of([] { Compiler::find(); }).what()).find("no-such-launcher c++") != std::string::npos);
}

TEST_CASE("what does not compile is an error with the compiler's messages, the first in its sentence") {
  const Error error = error_of([] { Compiler::find().compile("int main() { return undeclared_thing; }", "broken"); });
  CHECK_EQ(error.code(), ErrorCode::compile_failed);
  CHECK(std::string(error.what()).find("broken") != std::string::npos);
  CHECK(std::string(error.what()).find("undeclared_thing") != std::string::npos);
  CHECK(error.log().find("undeclared_thing") != std::string::npos);
}

TEST_CASE("a file that is no shared object is an error") {
  const std::vector<std::byte> junk(1000, std::byte{42});
  CHECK_EQ(error_of([&] { Code(junk, "junk"); }).code(), ErrorCode::unsupported);
}

TEST_CASE("the same name loads many kernels at once") {
  std::vector<std::shared_ptr<const Code>> codes;
  for (uint32_t i = 0; i < 4; ++i) {
    codes.push_back(host::test::compile_by_hand("binding<uint32_t>(self, 0)[0] = " + std::to_string(i + 7) + ";"));
  }
  for (uint32_t i = 0; i < 4; ++i) {
    std::vector<uint32_t> word(1, 0xa5a5a5a5);
    host::test::Run(codes[i], {1}, 1).bind(word).on_threads(1);
    CHECK_EQ(word[0], i + 7);
  }
}

#pragma once

#include <memory>
#include <string>

namespace weft::test {

/// What AMD's code object library knows: the library that hipRTC itself compiles with.
class Comgr {
 public:
  Comgr();
  ~Comgr();

  /// The instructions of a code object as text.
  std::string disassemble(const std::string& code_object, const std::string& architecture) const;

 private:
  struct Functions;
  std::unique_ptr<const Functions> functions_;
};

}  // namespace weft::test

#pragma once

#include <memory>
#include <string>

namespace weft::test {

/// AMD's code object library, with which hipRTC itself compiles.
class Comgr {
 public:
  Comgr();
  ~Comgr();

  /// Disassembles the instructions of a code object.
  std::string disassemble(const std::string& code_object, const std::string& architecture) const;

 private:
  struct Functions;
  std::unique_ptr<const Functions> functions_;
};

}  // namespace weft::test

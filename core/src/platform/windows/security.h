#pragma once

#include <vector>

#include "core/src/platform/windows/system.h"

namespace weft::core {

/// The SID of the user of this process.
class ThisUser {
 public:
  ThisUser();
  PSID sid() const { return reinterpret_cast<const TOKEN_USER*>(token_.data())->User.Sid; }

 private:
  std::vector<std::byte> token_;  // a TOKEN_USER and its SID
};

std::wstring text_of(PSID sid);

/// The security of a new folder for this user and the administrators alone, which its contents inherit.
class PrivateSecurity {
 public:
  PrivateSecurity();
  ~PrivateSecurity() { LocalFree(attributes_.lpSecurityDescriptor); }
  PrivateSecurity(const PrivateSecurity&) = delete;

  SECURITY_ATTRIBUTES* attributes() { return &attributes_; }

 private:
  SECURITY_ATTRIBUTES attributes_{};
};

}  // namespace weft::core

#include "core/src/platform/windows/security.h"

#include <sddl.h>

namespace weft::core {

ThisUser::ThisUser() {
  HANDLE opened = nullptr;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &opened)) fail();
  const Handle token = owned(opened);
  DWORD bytes = 0;
  GetTokenInformation(native(token), TokenUser, nullptr, 0, &bytes);
  token_.resize(bytes);
  if (!GetTokenInformation(native(token), TokenUser, token_.data(), bytes, &bytes)) fail();
}

std::wstring text_of(PSID sid) {
  wchar_t* text = nullptr;
  if (!ConvertSidToStringSidW(sid, &text)) fail();
  std::wstring copy = text;
  LocalFree(text);
  return copy;
}

PrivateSecurity::PrivateSecurity() {
  // Protected from what the parent folder gives; full access for the user, the system and the administrators.
  const std::wstring rules = L"D:P(A;OICI;FA;;;" + text_of(ThisUser().sid()) + L")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)";
  attributes_.nLength = sizeof(attributes_);
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(rules.c_str(), SDDL_REVISION_1,
                                                            &attributes_.lpSecurityDescriptor, nullptr)) {
    fail();
  }
}

}  // namespace weft::core

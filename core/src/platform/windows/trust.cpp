#include "core/src/platform/trust.h"

#include <aclapi.h>

#include <memory>

#include "core/src/platform/utf8.h"
#include "core/src/platform/windows/security.h"

namespace weft::core {
namespace {

// Rights to change contents, or to take such a right.
constexpr ACCESS_MASK changing =
    FILE_WRITE_DATA | FILE_APPEND_DATA | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;

// This user, the system and the administrators, and those that stand for a file's owner, who is checked by himself.
bool is_trusted(PSID sid) {
  for (const WELL_KNOWN_SID_TYPE known :
       {WinLocalSystemSid, WinBuiltinAdministratorsSid, WinCreatorOwnerSid, WinCreatorOwnerRightsSid}) {
    if (IsWellKnownSid(sid, known)) return true;
  }
  constexpr const wchar_t* trusted_installer =
      L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";  // the owner of the system's files
  return EqualSid(sid, ThisUser().sid()) || text_of(sid) == trusted_installer;
}

std::string name_of(PSID sid) {
  if (IsWellKnownSid(sid, WinWorldSid)) return "every user";
  wchar_t name[256], domain[256];
  DWORD name_length = 256, domain_length = 256;
  SID_NAME_USE use{};
  if (!LookupAccountSidW(nullptr, sid, name, &name_length, domain, &domain_length, &use)) {
    return utf8_text(text_of(sid));
  }
  return utf8_text(std::wstring(domain) + L"\\" + name);
}

bool is_allowed_to_change(const ACCESS_ALLOWED_ACE& entry) {
  const BYTE type = entry.Header.AceType;
  if (type != ACCESS_ALLOWED_ACE_TYPE && type != ACCESS_ALLOWED_CALLBACK_ACE_TYPE) return false;
  return !(entry.Header.AceFlags & INHERIT_ONLY_ACE) && (entry.Mask & changing);
}

}  // namespace

std::optional<std::string> who_else_changes(const Handle& opened) {
  PSID owner = nullptr;
  PACL entries = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD error =
      GetSecurityInfo(native(opened), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner,
                      nullptr, &entries, nullptr, &descriptor);
  if (error != ERROR_SUCCESS) fail(error);
  const std::unique_ptr<void, decltype(&LocalFree)> freed(descriptor, LocalFree);
  if (!is_trusted(owner)) return "it belongs to " + name_of(owner);
  if (!entries) return "every user can write it";
  for (DWORD i = 0; i < entries->AceCount; ++i) {
    void* entry = nullptr;
    if (!GetAce(entries, i, &entry)) fail();
    auto* const allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
    if (!is_allowed_to_change(*allowed)) continue;
    if (PSID user = &allowed->SidStart; !is_trusted(user)) return name_of(user) + " can write it";
  }
  return std::nullopt;
}

std::optional<std::string> who_else_changes(const std::filesystem::path& path) {
  constexpr DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const Handle opened = owned(
      CreateFileW(path.c_str(), READ_CONTROL, share, nullptr, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  return opened ? who_else_changes(opened) : std::nullopt;
}

const char* const restricting_commands = "icacls";

}  // namespace weft::core

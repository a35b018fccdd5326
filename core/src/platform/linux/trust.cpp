#include "core/src/platform/trust.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "core/src/platform/linux/descriptor.h"

namespace weft::core {
namespace {

// Many systems give each user a group of the same name, and a umask that lets the group write.
bool is_users_own(gid_t id) {
  std::vector<char> user_text(16384), group_text(16384);
  passwd user_entry{}, *user = nullptr;
  group group_entry{}, *found = nullptr;
  if (getpwuid_r(geteuid(), &user_entry, user_text.data(), user_text.size(), &user) != 0 || !user) return false;
  if (getgrgid_r(id, &group_entry, group_text.data(), group_text.size(), &found) != 0 || !found) return false;
  if (user->pw_gid != id || std::strcmp(user->pw_name, found->gr_name) != 0) return false;
  for (char** member = found->gr_mem; *member; ++member) {
    if (std::strcmp(*member, user->pw_name) != 0) return false;
  }
  return true;
}

std::optional<std::string> who_else_changes(const struct stat& status) {
  if (status.st_uid != 0 && status.st_uid != geteuid()) return "it belongs to user " + std::to_string(status.st_uid);
  if (status.st_mode & S_IWOTH) return "every user can write it";
  if (status.st_mode & S_IWGRP && !is_users_own(status.st_gid)) {
    return "group " + std::to_string(status.st_gid) + " can write it";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> who_else_changes(const Handle& opened) { return who_else_changes(status_of(opened)); }

std::optional<std::string> who_else_changes(const std::filesystem::path& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return who_else_changes(status);
}

const char* const restricting_commands = "chown, chmod go-w";

}  // namespace weft::core

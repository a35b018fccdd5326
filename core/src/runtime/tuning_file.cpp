#include "core/src/runtime/tuning_file.h"

#include <atomic>
#include <system_error>

#include "core/src/platform/trust.h"
#include "core/src/platform/utf8.h"
#include "core/src/runtime/messages.h"

namespace weft::core {

Tuning read_default_tuning(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  const auto reason = who_else_changes(file);
  if (!reason) return Tuning::read(file);
  static std::atomic_flag said;
  if (!said.test_and_set()) report({}, MessageSeverity::warning, untrusted_tuning(file, *reason));
  return {};
}

std::string wrong_entry(const Tuning::Entry& entry, const std::string& what) {
  if (entry.location.empty()) return "The tuning of '" + entry.primitive + "' is wrong: " + what + ".";
  return entry.location + ": " + what + ". Correct it, or delete the file and run weft tune again.";
}

std::string untrusted_tuning(const std::filesystem::path& file, const std::string& reason) {
  return "The tuning file '" + utf8_text(file) + "' is not read: " + reason +
         ". Remove it, or look at it and make it this user's alone (" + restricting_commands +
         "); WEFT_TUNING= does without it.";
}

}  // namespace weft::core

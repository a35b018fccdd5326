#include "algorithms/src/base/tuning_file.h"

#include <fcntl.h>

#include <weft/device_options.h>
#include <weft/error.h>
#include <algorithm>
#include <atomic>
#include <bit>
#include <charconv>
#include <sstream>
#include <system_error>

#include "core/src/runtime/files.h"
#include "core/src/runtime/messages.h"
#include "core/src/runtime/trust.h"

namespace weft::algorithms {
namespace {

struct Value {
  const char* name;
  uint32_t Tuning::*member;
  uint32_t least, most;
};
constexpr Value values[] = {
    {"workgroup", &Tuning::workgroup, 64, 1024},
    {"bytes_per_invocation", &Tuning::bytes_per_invocation, 0, 1024},
    {"staged_bytes", &Tuning::staged_bytes, 0, 1024},
    {"resident_workgroups", &Tuning::resident_workgroups, 0, 32},
    {"look_back_pause", &Tuning::look_back_pause, 0, 100'000},
    {"shared_bytes", &Tuning::shared_bytes, 0, 1 << 20},
    {"shared_copies", &Tuning::shared_copies, 1, 128},
    {"groups", &Tuning::groups, 1, 65535},
    {"match_by_atomics", &Tuning::match_by_atomics, 0, 1},
    {"values_beside_keys", &Tuning::values_beside_keys, 0, 1},
    {"run_workgroup", &Tuning::run_workgroup, 64, 1024},
    {"own_splits", &Tuning::own_splits, 0, 1},
};

// One line of a file, taken apart.
class Line {
 public:
  Line(const std::filesystem::path& file, size_t number, const std::string& text)
      : place_(file.string() + ", line " + std::to_string(number)) {
    constexpr std::string_view device_word = " device=";
    const size_t device = text.find(device_word);
    if (device == std::string::npos) fail("it has to end with device= and the device's name");
    entry_.device = text.substr(device + device_word.size());
    std::istringstream words(text.substr(0, device));
    for (std::string word; words >> word;) take(word);
    if (entry_.backend.empty() || entry_.primitive.empty() || entry_.element_bytes == 0 || entry_.count == 0) {
      fail("it needs primitive=, element_bytes=, count= and backend=");
    }
  }

  const TuningEntry& entry() const { return entry_; }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorCode::invalid_argument,
                place_ + ": " + what + ". Put it right, or delete the file and let weft tune write it anew.");
  }

  uint64_t number(const std::string& name, const std::string& text, uint64_t least, uint64_t most) const {
    uint64_t result = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, result);
    if (error != std::errc{} || stop != end || result < least || result > most) {
      fail(name + "=" + text + " is not a number from " + std::to_string(least) + " to " + std::to_string(most));
    }
    return result;
  }

  void take(const std::string& word) {
    const size_t equals = word.find('=');
    if (equals == std::string::npos) fail("'" + word + "' is not of the form name=value");
    const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
    if (name == "backend") {
      entry_.backend = text;
    } else if (name == "primitive") {
      entry_.primitive = text;
    } else if (name == "element_bytes") {
      entry_.element_bytes = static_cast<uint32_t>(number(name, text, 1, UINT32_MAX));
    } else if (name == "count") {
      entry_.count = number(name, text, 1, UINT64_MAX);
      if (!std::has_single_bit(entry_.count)) fail("count has to be a power of two");
    } else {
      take_value(name, text);
    }
  }

  void take_value(const std::string& name, const std::string& text) {
    for (const Value& value : values) {
      if (value.name != name) continue;
      entry_.tuning.*value.member = static_cast<uint32_t>(number(name, text, value.least, value.most));
      if (!std::has_single_bit(entry_.tuning.workgroup)) fail("a workgroup has to be a power of two");
      return;
    }
    fail("there is no '" + name + "' to tune");
  }

  std::string place_;
  TuningEntry entry_;
};

std::string not_trusted(const std::filesystem::path& file, const std::string& reason) {
  return "The tuning file '" + file.string() + "' is not read: " + reason +
         ". Remove it, or make it this user's alone (chown, chmod go-w) after a look at it; or set WEFT_TUNING= to do "
         "without.";
}

std::string read_text(const std::filesystem::path& file) {
  try {
    const core::Descriptor descriptor = core::open_at(AT_FDCWD, file.string(), O_RDONLY);
    if (const auto reason = core::who_else_changes(descriptor.status())) {
      throw Error(ErrorCode::io_failed, not_trusted(file, *reason));
    }
    const std::vector<std::byte> bytes = core::read_rest(descriptor);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed, "The tuning file '" + file.string() +
                                          "' cannot be read: " + error.code().message() +
                                          ". WEFT_TUNING names such a file; set WEFT_TUNING= "
                                          "to do without.");
  }
}

}  // namespace

std::optional<std::filesystem::path> tuning_file_to_write() {
  const auto file = DeviceOptions::from_environment().tuning;
  return file ? std::optional(file->path) : std::nullopt;
}

std::optional<std::filesystem::path> tuning_file() {
  const auto file = DeviceOptions::from_environment().tuning;
  if (!file) return std::nullopt;
  if (file->required) return file->path;
  std::error_code error;
  if (!std::filesystem::exists(file->path, error)) return std::nullopt;
  const auto reason = core::who_else_changes(file->path);
  if (!reason) return file->path;
  static std::atomic_flag said;
  if (!said.test_and_set()) core::report({}, MessageSeverity::warning, not_trusted(file->path, *reason));
  return std::nullopt;
}

const char* tuning_value_name(uint32_t Tuning::*value) {
  return std::ranges::find(values, value, &Value::member)->name;
}

std::vector<TuningEntry> read_tuning(const std::filesystem::path& file) {
  std::istringstream lines(read_text(file));
  std::vector<TuningEntry> entries;
  std::string text;
  for (size_t number = 1; std::getline(lines, text); ++number) {
    if (!text.empty() && text.front() != '#') entries.push_back(Line(file, number, text).entry());
  }
  return entries;
}

std::string to_text(const std::vector<TuningEntry>& entries) {
  std::ostringstream text;
  text << "# Measured by weft tune; plans read it when they are made.\n";
  for (const TuningEntry& entry : entries) {
    text << "primitive=" << entry.primitive << " element_bytes=" << entry.element_bytes << " count=" << entry.count;
    for (const Value& value : values) {
      if (entry.tuning.*value.member != Tuning{}.*value.member) {
        text << " " << value.name << "=" << entry.tuning.*value.member;
      }
    }
    text << " backend=" << entry.backend << " device=" << entry.device << "\n";
  }
  return text.str();
}

}  // namespace weft::algorithms

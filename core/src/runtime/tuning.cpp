#include <weft/tuning.h>

#include <bit>
#include <charconv>
#include <sstream>
#include <system_error>

#include <weft/device_info.h>
#include <weft/error.h>

#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"
#include "core/src/runtime/tuning_file.h"

namespace weft {
namespace {

[[noreturn]] void fail(const Tuning::Entry& entry, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, core::wrong_entry(entry, what));
}

void check(const Tuning::Entry& entry) {
  if (entry.primitive.empty() || entry.element_bytes == 0 || entry.count == 0) {
    fail(entry, "it needs primitive=, element_bytes= and count=");
  }
  if (!std::has_single_bit(entry.count)) {
    fail(entry, "count=" + std::to_string(entry.count) + " is not a power of two");
  }
}

uint64_t number(const Tuning::Entry& entry, const std::string& name, const std::string& text, uint64_t most) {
  uint64_t result = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, result);
  if (error != std::errc{} || stop != end || result > most) {
    fail(entry, name + "=" + text + " is not a number from 0 to " + std::to_string(most));
  }
  return result;
}

void take(Tuning::Entry& entry, const std::string& word) {
  const size_t equals = word.find('=');
  if (equals == std::string::npos) fail(entry, "'" + word + "' is not of the form name=value");
  const std::string name = word.substr(0, equals), text = word.substr(equals + 1);
  if (name == "backend") {
    entry.backend = text;
  } else if (name == "primitive") {
    entry.primitive = text;
  } else if (name == "element_bytes") {
    entry.element_bytes = static_cast<uint32_t>(number(entry, name, text, UINT32_MAX));
  } else if (name == "count") {
    entry.count = number(entry, name, text, UINT64_MAX);
  } else if (name == "device") {
    fail(entry, "device= and the device's name come last");
  } else {
    entry.values[name] = static_cast<uint32_t>(number(entry, name, text, UINT32_MAX));
  }
}

// A device's name may have spaces and equals signs, so it ends the line.
Tuning::Entry parse_line(const std::string& line, const std::string& location) {
  constexpr std::string_view device_word = " device=";
  Tuning::Entry entry{.count = 0, .location = location};
  const size_t device = line.find(device_word);
  if (device != std::string::npos) entry.device = line.substr(device + device_word.size());
  std::istringstream words(line.substr(0, device));
  for (std::string word; words >> word;) take(entry, word);
  return entry;
}

}  // namespace

bool Tuning::Entry::is_for(const DeviceInfo& info) const {
  return (backend.empty() || backend == info.backend) && (device.empty() || device == info.name);
}

Tuning::Tuning(std::vector<Entry> entries) {
  for (const Entry& entry : entries) check(entry);
  entries_ = std::make_shared<const std::vector<Entry>>(std::move(entries));
}

Tuning Tuning::parse(const std::string& text, const std::string& source) {
  std::istringstream lines(text);
  std::vector<Entry> entries;
  std::string line;
  for (size_t number = 1; std::getline(lines, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    entries.push_back(parse_line(line, source + ", line " + std::to_string(number)));
  }
  return Tuning(std::move(entries));
}

Tuning Tuning::read(const std::filesystem::path& file) {
  try {
    const core::OpenedFile opened(file);
    if (const auto reason = opened.who_else_changes()) {
      throw Error(ErrorCode::io_failed, core::untrusted_tuning(file, *reason));
    }
    const std::vector<std::byte> bytes = opened.read_rest();
    return parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, core::utf8_text(file));
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::io_failed, "The tuning file '" + core::utf8_text(file) +
                                          "' cannot be read: " + error.code().message() +
                                          ". If WEFT_TUNING names it, WEFT_TUNING= does without one.");
  }
}

const std::vector<Tuning::Entry>& Tuning::entries() const {
  static const std::vector<Entry> none;
  return entries_ ? *entries_ : none;
}

std::string Tuning::text() const {
  std::ostringstream text;
  text << "# Measured by weft tune.\n";
  for (const Entry& entry : entries()) {
    text << "primitive=" << entry.primitive << " element_bytes=" << entry.element_bytes << " count=" << entry.count;
    for (const auto& [name, value] : entry.values) text << " " << name << "=" << value;
    if (!entry.backend.empty()) text << " backend=" << entry.backend;
    if (!entry.device.empty()) text << " device=" << entry.device;
    text << "\n";
  }
  return text.str();
}

}  // namespace weft

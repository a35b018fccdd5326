#include "backends/host/settings.h"

#include <bit>
#include <charconv>
#include <sstream>

#include <weft/error.h>

namespace weft::host {

const char* const settings_text =
    "subgroup=N (subgroup size, a power of two from 1 to 128; default 16, of fibers 32), threads=N (1 to 1024), "
    "schedule=SEED (runs invocations, subgroups and workgroups in a random order with this seed), "
    "check=on|off (finds invalid accesses and races in kernels), "
    "form=lanes|fibers (runs a subgroup as vectors, or each invocation by itself, as schedule and check do), "
    "compile_seconds=N (time limit of the compiler for one kernel, 1 to 86400)";

namespace {

[[noreturn]] void wrong(const std::string& what) {
  throw Error(ErrorCode::invalid_argument,
              what + ". The host device takes these settings, separated by commas: " + settings_text + ".");
}

uint64_t number(const std::string& name, const std::string& value, uint64_t least, uint64_t most) {
  uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result);
  if (error != std::errc{} || end != value.data() + value.size() || result < least || result > most) {
    wrong("'" + value + "' is not a valid value for " + name);
  }
  return result;
}

Settings::Form form_of(const std::optional<Settings::Form>& named, const Settings& settings) {
  if (!settings.schedule && !settings.check) return named.value_or(Settings::Form::lanes);
  if (named == Settings::Form::lanes) {
    wrong(std::string("form=lanes runs subgroups as a whole, and ") + (settings.check ? "check=on" : "schedule=SEED") +
          " needs invocations by themselves: leave out one of the two");
  }
  return Settings::Form::fibers;
}

}  // namespace

Settings parse_settings(const std::string& text) {
  Settings settings;
  std::optional<Settings::Form> form;
  std::optional<uint32_t> subgroup_size;
  std::istringstream items(text);
  for (std::string item; std::getline(items, item, ',');) {
    const size_t equals = item.find('=');
    if (equals == std::string::npos) wrong("'" + item + "' is not a setting");
    const std::string name = item.substr(0, equals), value = item.substr(equals + 1);
    if (name == "subgroup") {
      subgroup_size = uint32_t(number(name, value, 1, 128));
      if (!std::has_single_bit(*subgroup_size)) wrong("'" + value + "' is not a valid value for subgroup");
    } else if (name == "threads") {
      settings.threads = uint32_t(number(name, value, 1, 1024));
    } else if (name == "schedule") {
      settings.schedule = number(name, value, 0, ~uint64_t{0});
    } else if (name == "check") {
      if (value != "on" && value != "off") wrong("'" + value + "' is not a valid value for check");
      settings.check = value == "on";
    } else if (name == "form") {
      if (value != "fibers" && value != "lanes") wrong("'" + value + "' is not a valid value for form");
      form = value == "lanes" ? Settings::Form::lanes : Settings::Form::fibers;
    } else if (name == "compile_seconds") {
      settings.compile_seconds = uint32_t(number(name, value, 1, 86400));
    } else {
      wrong("There is no setting '" + name + "'");
    }
  }
  settings.form = form_of(form, settings);
  settings.subgroup_size = subgroup_size.value_or(Settings::default_subgroup_size(settings.form));
  return settings;
}

std::string Settings::selector() const {
  std::string text;
  const auto add = [&](const std::string& item) { text += (text.empty() ? "host:" : ",") + item; };
  if (subgroup_size != default_subgroup_size(form)) add("subgroup=" + std::to_string(subgroup_size));
  if (threads != 0) add("threads=" + std::to_string(threads));
  if (schedule) add("schedule=" + std::to_string(*schedule));
  if (check) add("check=on");
  if (form == Form::fibers && !schedule && !check) add("form=fibers");
  if (compile_seconds != Settings{}.compile_seconds) add("compile_seconds=" + std::to_string(compile_seconds));
  return text.empty() ? "host" : text;
}

}  // namespace weft::host

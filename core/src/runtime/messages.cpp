#include "core/src/runtime/messages.h"

#include <cstdio>

namespace weft::core {

std::string gibibytes(uint64_t bytes) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.2f GiB", static_cast<double>(bytes) / (1ull << 30));
  return text;
}

std::string count_text(uint64_t count) {
  const std::string text = std::to_string(count);
  const auto negative = static_cast<int64_t>(count);
  return negative < 0 ? text + " (" + std::to_string(negative) + " without its sign)" : text;
}

void invalid(const std::string& sentence) { throw Error(ErrorCode::invalid_argument, sentence); }
void invalid(const std::string& plan, const std::string& sentence) { invalid(plan + ": " + sentence); }

void own_mistake(const std::string& what) {
  throw Error(ErrorCode::unsupported, "This build of Weft " + what + ". That is a mistake of Weft's own: report it.");
}

Error timed_out(const std::string& device, std::chrono::nanoseconds timeout) {
  char seconds[64];
  std::snprintf(seconds, sizeof(seconds), "%g s", std::chrono::duration<double>(timeout).count());
  return Error(ErrorCode::timeout,
               "work on " + device + " was not done after " + seconds +
                   ". It continues: wait again, raise DeviceOptions::timeout, or look for a kernel that never ends");
}

Error not_passed() {
  return Error(ErrorCode::invalid_argument,
               "the device has not reached this timestamp yet; synchronize the stream first");
}

void report(const MessageCallback& callback, MessageSeverity severity, std::string_view text,
            std::string_view more) noexcept {
  if (!callback) {
    std::fprintf(stderr, "weft: %s%.*s%.*s\n", severity == MessageSeverity::warning ? "warning: " : "",
                 int(text.size()), text.data(), int(more.size()), more.data());
    return;
  }
  try {
    callback(severity, std::string(text).append(more));
  } catch (...) {
    // Destructors and drivers call report(), so nothing may leave it.
  }
}

}  // namespace weft::core

#pragma once

#include <functional>
#include <string>

namespace weft {

enum class MessageSeverity {
  warning,  ///< Something does not work, and Weft goes on without it.
  error,    ///< Something failed where no exception can say so, such as in a destructor.
};

/// Receives the messages that Weft cannot throw: what goes wrong while a stream closes, what the validation layer
/// finds, a default cache that cannot be used. `text` is one message without a line break at its end. An empty callback
/// prints to stderr: "weft: warning: ...", "weft: ...".
///
/// Must be thread-safe: any thread may call it, several at once, also from destructors and from inside a driver's
/// calls. It must not call Weft. What it throws is dropped.
using MessageCallback = std::function<void(MessageSeverity severity, const std::string& text)>;

}  // namespace weft

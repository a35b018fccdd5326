#pragma once

#include <functional>
#include <string>

namespace weft {

enum class MessageSeverity {
  warning,  ///< Something does not work, and Weft continues without it.
  error,    ///< Something failed where Weft cannot throw, such as in a destructor.
};

/// Receives messages that Weft cannot throw: errors while a stream closes, messages of the validation layer, a default
/// cache that cannot be used. `text` has no line break at its end. If the callback is empty, Weft prints to stderr:
/// "weft: warning: ..." or "weft: ...".
///
/// Must be thread-safe: several threads may call it at once, from destructors and from inside drivers too. It must not
/// call Weft. Its exceptions are dropped.
using MessageCallback = std::function<void(MessageSeverity severity, const std::string& text)>;

}  // namespace weft

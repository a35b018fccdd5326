#pragma once

#include <string>

namespace weft::backend {
class Device;
}

namespace weft::core {

/// Throws unsupported: `device` has no `what` ("kernel 'sort'"), since no pack of it holds that and `why` nothing
/// compiles it, as the start of a sentence. Names the plan that is being made, as the line to add to a list.
[[noreturn]] void refuse_uncompiled(const std::string& why, const std::string& what, const backend::Device& device);

}  // namespace weft::core

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace weft::core {

/// Whether this user can run the file.
bool is_program(const std::filesystem::path& file);

/// Runs a program in its own process group and waits for it. Its output goes to the file `log`, its temporary files to
/// `folder`. Processes that it started end with it. If this process ends first, for whatever reason, they all end and
/// `folder` is removed.
///
/// Calls `when_slow` once if the program still runs after `slow`.
///
/// Returns the exit status, or 128 + N if signal N ended it. After `timeout` ends the program and returns nothing.
/// Throws unsupported if it cannot be started, and on a system where Weft starts no programs; `what` starts the error.
std::optional<int> run_program(const std::string& what, const std::vector<std::string>& command,
                               const std::filesystem::path& folder, const std::filesystem::path& log,
                               std::chrono::nanoseconds timeout, std::chrono::nanoseconds slow,
                               const std::function<void()>& when_slow);

}  // namespace weft::core

#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace weft::host {

/// Runs a program in a process group of its own, with its messages in the file `log` and its temporary files in
/// `folder`, and waits for its end. Whatever it has started ends with it. If this process ends first, however it does,
/// they all end and `folder` goes.
///
/// Returns the exit status, 128 + N for a death by signal N; nothing when `timeout` is over, and then it is ended too.
/// Throws Error(unsupported) when it cannot be started.
std::optional<int> run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                               const std::filesystem::path& log, std::chrono::nanoseconds timeout);

}  // namespace weft::host

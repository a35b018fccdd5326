#pragma once

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// Programs that are started many times, and print how long their parts took since the start of the process. Needs
// nothing of Weft's, as some of them do.
namespace weft::bench {

using SteadyClock = std::chrono::steady_clock;

/// In the process whose time is taken.
class TimedParts {
 public:
  /// `started` is the last argument that times_of() gave the process.
  explicit TimedParts(const char* started)
      : times_{SteadyClock::time_point(SteadyClock::duration(std::atoll(started)))} {
    end_part();
  }

  void end_part() { times_.push_back(SteadyClock::now()); }
  /// The milliseconds of each part, from the start of the process to main() first, and of all.
  void print() const {
    for (size_t i = 1; i < times_.size(); ++i) std::printf("%.6f ", milliseconds(times_[i - 1], times_[i]));
    std::printf("%.6f\n", milliseconds(times_.front(), times_.back()));
  }

 private:
  static double milliseconds(SteadyClock::time_point from, SteadyClock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  }
  std::vector<SteadyClock::time_point> times_;
};

/// Runs a program, and returns the numbers that it prints, then the milliseconds that processors worked for it until it
/// ended; nothing if it fails. Its last argument is the time of its start.
inline std::vector<double> times_of(std::vector<std::string> command) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  command.push_back(std::to_string(SteadyClock::now().time_since_epoch().count()));
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(argument.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(ends[1]);
  std::vector<double> numbers;
  FILE* output = fdopen(ends[0], "r");
  for (double number = 0; std::fscanf(output, "%lf", &number) == 1;) numbers.push_back(number);
  std::fclose(output);
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  const auto milliseconds = [](const timeval& time) { return 1e3 * double(time.tv_sec) + 1e-3 * double(time.tv_usec); };
  numbers.push_back(milliseconds(used.ru_utime) + milliseconds(used.ru_stime));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? numbers : std::vector<double>{};
}

inline double median_of(const std::vector<std::vector<double>>& runs, size_t part) {
  std::vector<double> all;
  for (const std::vector<double>& run : runs) all.push_back(run[part]);
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace weft::bench

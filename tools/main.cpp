#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <weft/error.h>
#include <weft/faults.h>

#include "support/interruption.h"
#include "support/standard_streams.h"
#include "support/text.h"
#include "tools/verbs.h"

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int cannot_run = 2;

const char* const footer = R"(Examples:
  weft devices
  weft reduce numbers.npy --op max
  weft compact points.npy --where 'x > 0.5' -o kept.npy --verify
  weft exec blur.comp --groups 64,64 --bind 0.0=in.bin --bind 0.1=zeros:4M --out 0.1=out.bin
  weft compile blur.comp --target cuda -o blur.cu
  weft pack plans.txt --profile nvidia -o plans.weftpack
  weft bench scan reduce --plot rates.svg

An output that is a symbolic link goes to the link's target. A link owned by another user is refused.
See weft VERB --help for details. Exit status: 0 success, 1 error, 2 not supported by the device or this build.
Set WEFT_VALIDATION=1 in the environment to have the Vulkan validation layer check every call.)";

void report(const std::string& message, const std::string& log = {}) {
  std::fflush(stdout);
  std::fprintf(stderr, "weft: error: %s\n", weft::support::printable(message).c_str());
  // If the compiler gave a single message, the sentence already contains it.
  const std::string lines = log.substr(0, log.find_last_not_of(" \n") + 1);
  if (message.find(lines) == std::string::npos) std::fprintf(stderr, "%s\n", weft::support::printable(lines).c_str());
}

void run(const std::vector<std::string>& arguments) {
  weft::tools::CommandLine command_line("Run compute kernels, written once, on this machine's devices.", footer);
  weft::tools::add_devices(command_line);
  weft::tools::add_reduce(command_line);
  weft::tools::add_scan(command_line);
  weft::tools::add_compact(command_line);
  weft::tools::add_merge(command_line);
  weft::tools::add_unique(command_line);
  weft::tools::add_rle(command_line);
  weft::tools::add_reduce_by_key(command_line);
  weft::tools::add_segmented_reduce(command_line);
  weft::tools::add_scan_by_key(command_line);
  weft::tools::add_segmented_scan(command_line);
  weft::tools::add_segmented_sort(command_line);
  weft::tools::add_partition(command_line);
  weft::tools::add_histogram(command_line);
  weft::tools::add_topk(command_line);
  weft::tools::add_count_keys(command_line);
  weft::tools::add_lookup(command_line);
  weft::tools::add_bvh(command_line);
  weft::tools::add_mipmaps(command_line);
  weft::tools::add_morton(command_line);
  weft::tools::add_sort(command_line);
  weft::tools::add_exec(command_line);
  weft::tools::add_compile(command_line);
  weft::tools::add_pack(command_line);
  std::string command;
  for (const std::string& argument : arguments) command += (command.empty() ? "" : " ") + argument;
  weft::tools::add_bench(command_line, command);
  weft::tools::add_tune(command_line);
  command_line.run(arguments);
}

// Printed output is a result too: a command that cannot print it has failed.
void require_printed() {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::ferror(stdout) == 0) return;
  throw std::runtime_error(std::string("cannot write to standard output") +
                           (flushed ? "" : std::string(": ") + std::strerror(errno)));
}

}  // namespace

int main(int argc, char** argv) {
  weft::explain_kernel_faults();
  weft::support::prepare_standard_streams();
  weft::support::remove_unfinished_files_on_signals();
  try {
    run(weft::support::arguments_of(argc, argv));
    require_printed();
    return done;
  } catch (const weft::Error& error) {
    report(error.what(), error.log());
    return error.code() == weft::ErrorCode::unsupported ? cannot_run : failed;
  } catch (const std::bad_alloc&) {
    report("not enough host memory");
  } catch (const std::exception& error) {
    report(error.what());
  }
  return failed;
}

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include <weft/error.h>
#include <weft/version.h>

#include "help.h"
#include "support/text.h"
#include "verbs.h"

namespace {

constexpr int failed = 1;
constexpr int cannot_run = 2;

const char* const footer = R"(Examples:
  weft devices
  weft reduce numbers.npy --op max
  weft compact points.npy --where 'x > 0.5' -o kept.npy --verify
  weft exec blur.comp --groups 64,64 --bind 0.0=in.bin --bind 0.1=zeros:4M --out 0.1=out.bin
  weft compile blur.comp --target cuda -o blur.cu
  weft bench scan reduce --plot rates.svg

weft VERB --help tells more. Exit status: 0 done, 1 an error, 2 the device or this build cannot do it.
The environment variable WEFT_VALIDATION=1 has the Vulkan validation layer check every call.)";

void report(const std::string& message, const std::string& log = {}) {
  std::fflush(stdout);
  std::fprintf(stderr, "weft: error: %s\n", message.c_str());
  // A compiler's only message is in the sentence already.
  const std::string lines = log.substr(0, log.find_last_not_of(" \n") + 1);
  if (message.find(lines) == std::string::npos) std::fprintf(stderr, "%s\n", lines.c_str());
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates) {
  const auto near = weft::tools::nearest(word, candidates);
  return near ? "; did you mean " + *near + "?" : "";
}

std::vector<std::string> verb_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(verb->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// What is wrong with the command line, and the name that was probably meant.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  const auto verbs = app.get_subcommands();
  const CLI::App& used = verbs.empty() ? app : *verbs.front();
  const std::string command = verbs.empty() ? "weft" : "weft " + used.get_name();
  const std::string hint = " (" + command + " --help tells more)";
  const auto unexpected = used.remaining();
  if (unexpected.empty()) return error.what() + hint;
  const std::string& word = unexpected.front();
  if (word.starts_with('-')) {
    const std::string name = word.substr(0, word.find('='));
    return command + " has no option " + name + suggestion(name, option_names(used)) + hint;
  }
  if (verbs.empty()) return "weft has no verb '" + word + "'" + suggestion(word, verb_names(app)) + hint;
  return command + " does not expect '" + word + "'" + hint;
}

int run(int argc, char** argv) {
  CLI::App app("Compute kernels written once, run on this machine's devices.", "weft");
  app.set_version_flag("--version", "weft " WEFT_VERSION);
  app.formatter(std::make_shared<weft::tools::HelpFormatter>());
  app.require_subcommand(0, 1);
  app.footer(footer);
  weft::tools::add_devices(app);
  weft::tools::add_reduce(app);
  weft::tools::add_scan(app);
  weft::tools::add_compact(app);
  weft::tools::add_merge(app);
  weft::tools::add_unique(app);
  weft::tools::add_rle(app);
  weft::tools::add_reduce_by_key(app);
  weft::tools::add_segmented_reduce(app);
  weft::tools::add_scan_by_key(app);
  weft::tools::add_segmented_scan(app);
  weft::tools::add_segmented_sort(app);
  weft::tools::add_partition(app);
  weft::tools::add_histogram(app);
  weft::tools::add_topk(app);
  weft::tools::add_sort(app);
  weft::tools::add_exec(app);
  weft::tools::add_compile(app);
  std::string command;
  for (int i = 0; i < argc; ++i) command += (i ? " " : "") + std::string(argv[i]);
  weft::tools::add_bench(app, command);
  weft::tools::add_tune(app);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::string verbs;
      for (const std::string& name : verb_names(app)) verbs += (verbs.empty() ? "" : ", ") + name;
      report("weft needs a verb: " + verbs + " (weft --help tells more)");
      return failed;
    }
    return 0;
  } catch (const CLI::Success& request) {  // --help and --version
    return app.exit(request);
  } catch (const CLI::ParseError& error) {
    report(usage_message(app, error));
    return failed;
  }
}

// What is printed is a result too, so a command that could not print it has failed.
int finish(int status) {
  errno = 0;
  const bool flushed = std::fflush(stdout) == 0;
  if ((flushed && std::ferror(stdout) == 0) || status != 0) return status;
  report(std::string("cannot write to standard output") + (flushed ? "" : std::string(": ") + std::strerror(errno)));
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return finish(run(argc, argv));
  } catch (const weft::Error& error) {
    report(error.what(), error.log());
    return error.code() == weft::ErrorCode::unsupported ? cannot_run : failed;
  } catch (const std::bad_alloc&) {
    report("the host's memory is not enough for this");
  } catch (const std::exception& error) {
    report(error.what());
  }
  return failed;
}

#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <spirv-tools/optimizer.hpp>
#include <string>

#include "tests/support/random.h"
#include "tests/translate/mutate.h"
#include "translate_modules_kernels.h"

// Any module must be translated or refused with an error: no crash, no hang, no other exception.
// WEFT_TEST_MUTANT=<number>, with the seed that a failed run printed, runs only that change.
namespace weft::test {
namespace {

using Clock = std::chrono::steady_clock;
constexpr int most_seconds = 20;  // per module

// The message if the process dies or hangs; a signal handler writes it.
char message[256];

void say_message_and_die(int signal) {
  (void)!::write(STDERR_FILENO, message, std::strlen(message));
  ::signal(signal, SIG_DFL);
  ::raise(signal == SIGALRM ? SIGABRT : signal);
}

std::vector<uint32_t> optimised(const std::vector<uint32_t>& words) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
  optimizer.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char*) {});
  optimizer.RegisterPass(spvtools::CreateInlineExhaustivePass())
      .RegisterPass(spvtools::CreateEliminateDeadFunctionsPass())
      .RegisterPass(spvtools::CreateSSARewritePass())
      .RegisterPass(spvtools::CreateAggressiveDCEPass())
      .RegisterPass(spvtools::CreateRedundancyEliminationPass())
      .RegisterPass(spvtools::CreateIfConversionPass());
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  std::vector<uint32_t> result;
  return optimizer.Run(words.data(), words.size(), &result, options) ? result : words;
}

// Kernels of this folder, compiled and optimised.
std::vector<std::vector<uint32_t>> seed_modules() {
  std::vector<std::vector<uint32_t>> modules;
  for (const Spirv& module : {kernels::control(), kernels::layout(), kernels::lanes(), kernels::shared_memory(),
                              kernels::references(), kernels::constants(), kernels::functions()}) {
    modules.push_back(module.words);
    modules.push_back(optimised(module.words));
  }
  return modules;
}

}  // namespace
}  // namespace weft::test

using namespace weft::test;

TEST_CASE("modules from compilers are translated for every target") {
  std::mt19937_64 unused(1);
  for (const auto& words : seed_modules()) {
    bool translated = false;
    for (int attempt = 0; attempt < 20 && !translated; ++attempt)
      translated = process(words, unused) == Fate::translated;
    CHECK(translated);
  }
}

TEST_CASE("mutated and cut modules are translated or refused with an error") {
  const auto seeds = seed_modules();
  const char* const one = std::getenv("WEFT_TEST_MUTANT");
  const char* const count_text = std::getenv("WEFT_TEST_MUTANTS");
  const uint64_t count = count_text ? std::strtoull(count_text, nullptr, 10) : 3000;
  uint64_t fates[3] = {};
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM}) ::signal(signal, say_message_and_die);
  for (uint64_t n = one ? std::strtoull(one, nullptr, 10) : 0; n < count; ++n) {
    std::mt19937_64 random(run_seed() * 1'000'003 + n);
    std::snprintf(message, sizeof(message),
                  "\n[weft] while it was translating: WEFT_TEST_SEED=%llu WEFT_TEST_MUTANT=%llu\n",
                  static_cast<unsigned long long>(run_seed()), static_cast<unsigned long long>(n));
    const std::vector<uint32_t> words = mutated(seeds[random() % seeds.size()], random);
    ::alarm(most_seconds);
    try {
      ++fates[static_cast<int>(process(words, random))];
    } catch (const std::exception& error) {
      FAIL_CHECK("another exception than weft::Error: " << error.what() << message);
    }
    if (one) break;
  }
  ::alarm(0);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGALRM}) ::signal(signal, SIG_DFL);
  std::printf("[weft] %llu mutants were refused by the validator, %llu by Weft, %llu translated\n",
              static_cast<unsigned long long>(fates[0]), static_cast<unsigned long long>(fates[1]),
              static_cast<unsigned long long>(fates[2]));
  if (!one) {
    CHECK(fates[1] + fates[2] > count / 10);  // else the changes are too drastic to be useful
    CHECK(fates[2] > count / 20);
  }
}

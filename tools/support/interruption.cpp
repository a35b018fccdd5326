#include "support/interruption.h"

#include <csignal>

namespace weft::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void ask(int signal) {
  interrupted = 1;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  interrupted = 0;
  std::signal(SIGINT, ask);
  std::signal(SIGTERM, ask);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::asked() const { return interrupted != 0; }

}  // namespace weft::tools

#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "bench/peer/interface.h"

// How the functions of a peer's interface tell of exceptions. Each peer is a module, with a message of its own.
namespace weft::peer {

/// The peer does not have what was asked for, and says so in words.
struct Unsupported : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What weft_peer_message() returns. Static: GCC makes one variable of an inline one in all modules of a process.
static std::string message;

/// Runs `work`, and sets the message if it throws.
template <class Work>
weft_peer_status status_of(const Work& work) {
  try {
    work();
    return weft_peer_done;
  } catch (const Unsupported& error) {
    message = error.what();
    return weft_peer_unsupported;
  } catch (const std::bad_alloc&) {
    message = "out of memory";
    return weft_peer_unsupported;
  } catch (const std::exception& error) {
    message = error.what();
    return weft_peer_failed;
  }
}

}  // namespace weft::peer

#pragma once

#include <array>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include <weft/weft_c.h>

#include "tests/c/allocation.h"
#include "tests/support/test.h"

/// Calls functions of the C interface: with each argument wrong in turn, with allocations that fail, and as meant.
namespace weft::test {

template <typename T, typename... Handles>
constexpr bool is_one_of = (std::is_same_v<T, Handles> || ...);
template <typename T>
constexpr bool is_handle = is_one_of<T, weft_device, weft_device_list, weft_buffer, weft_recorder, weft_stream,
                                     weft_event, weft_timestamp, weft_kernel, weft_plan, weft_pack, weft_cache_entry>;

/// Fails the test unless a call gives that result; then with a message that names the function.
inline void expect(weft_result expected, weft_result result, const std::string& call) {
  CHECK_MESSAGE(result == expected,
                call << ": " << weft_result_name(result) << ", " << std::string(weft_error_message()));
  if (result != expected || result == WEFT_OK) return;
  const std::string message = weft_error_message(), function = call.substr(0, call.find(','));
  CHECK_MESSAGE(message.starts_with(function + ": "), call << " does not name the function: " << message);
}

class Calls {
 public:
  /// `foreign` is a handle that is no T, `other` one that is no weft_device; `small` is a buffer of few bytes.
  Calls(weft_device* device, weft_device_list* other, weft_buffer* small)
      : device_(device), other_(other), small_(small) {}

  /// Whether allocations fail in turn, for calls that are repeated until none does. What destroys needs none.
  bool fail_allocations = false;
  /// The functions that were called.
  std::set<std::string> functions{};

  /// `optional` has a bit for each parameter that may be null.
  template <typename... P>
  void operator()(const std::string& name, weft_result (*function)(P...), uint32_t optional,
                  std::type_identity_t<P>... valid) {
    functions.insert(name);
    const std::tuple<P...> arguments(valid...);
    wrong_each(name, function, optional, arguments, std::index_sequence_for<P...>());
    const auto call = [&] { return std::apply(function, arguments); };
    if (!fail_allocations) return expect(WEFT_OK, call(), name + ", as meant");
    if (!name.starts_with("weft_destroy")) return without_memory(name, call);
    weft_result result = WEFT_OK;
    {
      const FailingAllocations none(0);
      result = call();
    }
    expect(WEFT_OK, result, name + ", without memory");
  }

 private:
  template <typename Function, typename Tuple, size_t... I>
  void wrong_each(const std::string& name, Function function, uint32_t optional, const Tuple& valid,
                  std::index_sequence<I...>) {
    (wrong<I>(name, function, (optional >> I & 1) != 0, valid), ...);
  }

  template <size_t I, typename Function, typename Tuple>
  void wrong(const std::string& name, Function function, bool optional, const Tuple& valid) {
    using T = std::tuple_element_t<I, Tuple>;
    const T meant = std::get<I>(valid);
    const auto refused = [&](T value, const std::string& what) {
      Tuple arguments = valid;
      std::get<I>(arguments) = value;
      expect(WEFT_INVALID_ARGUMENT, std::apply(function, arguments),
             name + ", " + what + " as argument " + std::to_string(I));
    };
    if constexpr (std::is_pointer_v<T>) {
      using Pointee = std::remove_cv_t<std::remove_pointer_t<T>>;
      if (!optional) refused(nullptr, "null");
      if constexpr (is_handle<Pointee>) {
        refused(foreign<T>(), "another handle");
        static std::array<uint64_t, 64> no_handle{};
        refused(reinterpret_cast<T>(no_handle.data()), "no handle");
      }
      if constexpr (requires { meant->size; }) {
        if (meant) wrong_sizes(meant, refused);
      }
    }
    if constexpr (std::is_same_v<T, weft_region>) {
      refused({small_, 0, 1 << 20}, "too many bytes");
      refused({small_, 1 << 20, 0}, "an offset beyond the end");
      refused({small_, 8, WEFT_REST - 4}, "bytes that overflow");
      refused({nullptr, 0, 4}, "bytes without a buffer");
      refused({reinterpret_cast<weft_buffer*>(device_), 0, 4}, "another handle");
    }
  }

  template <typename T>
  T foreign() const {
    if constexpr (std::is_same_v<std::remove_cv_t<std::remove_pointer_t<T>>, weft_device>) {
      return reinterpret_cast<T>(other_);
    } else {
      return reinterpret_cast<T>(device_);
    }
  }

  /// A struct of the caller's with sizes that no version has, and with something that this version does not know.
  template <typename T, typename Refused>
  static void wrong_sizes(T* meant, const Refused& refused) {
    struct {
      std::remove_const_t<T> known;
      uint64_t unknown = 0;
    } larger{*meant};
    for (const size_t size : {size_t{0}, size_t{7}, sizeof(T) + 1, ~size_t{0}, size_t{1} << 40}) {
      larger.known.size = size;
      refused(&larger.known, "a struct of " + std::to_string(size) + " bytes");
    }
    if constexpr (std::is_const_v<T>) {
      larger.known.size = sizeof(larger);
      larger.unknown = 1;
      refused(&larger.known, "a struct with an unknown member");
    }
  }

  template <typename Call>
  static void without_memory(const std::string& name, const Call& call) {
    weft_result result = WEFT_OUT_OF_HOST_MEMORY;
    for (int64_t allowed = 0; result != WEFT_OK; allowed += 1 + allowed / 8) {
      bool failed = false;
      {
        const FailingAllocations failing(allowed);
        result = call();
        failed = failing.failed();
      }
      CHECK_MESSAGE((result == WEFT_OK || (failed && result == WEFT_OUT_OF_HOST_MEMORY)),
                    name << " with " << allowed << " allocations: " << std::string(weft_error_message()));
      if (result != WEFT_OK && result != WEFT_OUT_OF_HOST_MEMORY) return;
    }
  }

  weft_device* device_;
  weft_device_list* other_;
  weft_buffer* small_;
};

}  // namespace weft::test

/// Calls a function by `calls`, with a bit for each parameter that may be null, and its arguments.
#define CALL(function, ...) calls(#function, function, __VA_ARGS__)

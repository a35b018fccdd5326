#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <weft/buffer.h>
#include <weft/device.h>
#include <weft/kernel.h>
#include <weft/pack.h>
#include <weft/stream.h>

#include "c/src/errors.h"

/// What is behind the handles.
namespace weft::c {

enum class Kind : uint8_t {
  device,
  device_list,
  buffer,
  recorder,
  stream,
  event,
  timestamp,
  kernel,
  plan,
  pack,
  cache_entry,
  vulkan_arena,
};

/// The first member of each object. Tells handles of one kind from those of another.
class Tag {
 public:
  explicit Tag(Kind kind) : bits_(bits_of(kind)) {}
  Tag(const Tag&) = delete;
  ~Tag() { bits_ = 0; }

  bool is(Kind kind) const { return bits_ == bits_of(kind); }
  /// The name of the handle's type; null if it is none, or destroyed.
  const char* name() const;

 private:
  static constexpr uint64_t bits_of(Kind kind) { return 0x7765667463000000u + uint64_t(kind); }

  volatile uint64_t bits_;  // so that the destructor clears it
};

/// Throws invalid_argument for a handle that is null, or not of that kind.
[[noreturn]] void refuse_handle(const Tag* tag, Kind kind, const char* parameter);

template <typename Handle>
Handle& checked(Handle* handle, const char* parameter) {
  if (!handle || !handle->tag.is(Handle::kind)) refuse_handle(handle ? &handle->tag : nullptr, Handle::kind, parameter);
  return *handle;
}

/// The body of a function that creates a handle: `make` returns it as a unique_ptr.
template <typename Handle, typename Make>
weft_result create(const char* function, Handle** handle, const Make& make) noexcept {
  return guarded(function, [&] {
    *given(handle, "output") = nullptr;
    *handle = make().release();
  });
}

template <typename Handle>
weft_result destroy(const char* function, Handle* handle) noexcept {
  return guarded(function, [&] {
    if (handle) delete &checked(handle, "handle");
  });
}

/// A plan of one of the types in AllParameters.
class AnyPlan {
 public:
  virtual ~AnyPlan() = default;
  virtual uint64_t property(const std::string& name) const = 0;
  virtual uint64_t temporary_bytes() const = 0;
};

}  // namespace weft::c

struct weft_device {
  static constexpr auto kind = weft::c::Kind::device;
  weft::c::Tag tag{kind};
  weft::Device device;
};

struct weft_device_list {
  static constexpr auto kind = weft::c::Kind::device_list;
  weft::c::Tag tag{kind};
  std::vector<weft::DeviceInfo> devices;
  std::string missing;
};

struct weft_buffer {
  static constexpr auto kind = weft::c::Kind::buffer;
  weft::c::Tag tag{kind};
  weft::Buffer<std::byte> buffer;
};

struct weft_recorder {
  static constexpr auto kind = weft::c::Kind::recorder;
  weft::c::Tag tag{kind};
  weft::Recorder* recorder = nullptr;
  std::optional<weft::Recorder::Independent> independent{};
};

struct weft_stream {
  static constexpr auto kind = weft::c::Kind::stream;
  weft::c::Tag tag{kind};
  weft::Stream stream;
  weft_recorder recorder{.recorder = &stream};
};

struct weft_event {
  static constexpr auto kind = weft::c::Kind::event;
  weft::c::Tag tag{kind};
  weft::Event event;
};

struct weft_timestamp {
  static constexpr auto kind = weft::c::Kind::timestamp;
  weft::c::Tag tag{kind};
  weft::Timestamp timestamp;
};

struct weft_kernel {
  static constexpr auto kind = weft::c::Kind::kernel;
  weft::c::Tag tag{kind};
  weft::Kernel kernel;
};

struct weft_plan {
  static constexpr auto kind = weft::c::Kind::plan;
  weft::c::Tag tag{kind};
  size_t index = 0;  // in AllParameters
  std::unique_ptr<const weft::c::AnyPlan> plan;
};

struct weft_pack {
  static constexpr auto kind = weft::c::Kind::pack;
  weft::c::Tag tag{kind};
  weft::Pack pack;
  std::string description;
};

struct weft_cache_entry {
  static constexpr auto kind = weft::c::Kind::cache_entry;
  weft::c::Tag tag{kind};
  std::optional<std::vector<std::byte>> bytes{};
};

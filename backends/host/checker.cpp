#include "backends/host/checker.h"

#include <algorithm>
#include <cstdio>

#include "backends/host/workgroup.h"

namespace weft::host {

namespace {

std::string hexadecimal(const unsigned char* address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(address)));
  return text;
}

// "reads 4 bytes", "atomically writes 8 bytes".
std::string verb(const Access& access) {
  return std::string(access.kind & weft_host_atomic ? "atomically " : "") +
         (access.kind & weft_host_write ? "writes " : "reads ") + std::to_string(access.bytes) + " bytes";
}

}  // namespace

uint32_t Checker::begin(const std::array<uint32_t, 3>& workgroup, uint32_t local_index) {
  invocations_.push_back({0, 0, workgroup, local_index});
  return uint32_t(invocations_.size() - 1);
}

void Checker::begin_workgroup(const unsigned char* memory) {
  const auto first = reinterpret_cast<uintptr_t>(memory);
  for (uint64_t i = 0; i < dispatch_.code->workgroup_memory_bytes(); i += 4) shadow_.at(first + i) = {};
}

void Checker::synchronize(uint32_t who, uint32_t kind) {
  ++time_;
  if (kind & weft_host_release) invocations_[who].released = time_;
  if (kind & weft_host_acquire) invocations_[who].acquired = time_;
}

bool Checker::in_push_constants(const Access& access) const {
  const auto* block = reinterpret_cast<const unsigned char*>(dispatch_.push_constants.data());
  const size_t bytes = dispatch_.push_constants.size();  // sums with an address may overflow
  return access.address >= block && access.bytes <= bytes && size_t(access.address - block) <= bytes - access.bytes;
}

bool Checker::is_wrong(const Access& access, const unsigned char* memory, std::string& error) {
  if (in_push_constants(access)) return false;  // read-only
  if (access.address || !(access.kind & (weft_host_acquire | weft_host_release))) {
    if (out_of_bounds(access, memory, error)) return true;
    if (access.alignment > 1 && reinterpret_cast<uintptr_t>(access.address) % access.alignment != 0) {
      error = "misaligned: it " + verb(access) + " at " + hexadecimal(access.address) +
              ", which is not a multiple of " + std::to_string(access.alignment);
      return true;
    }
    const auto& on_access = dispatch_.checked->on_access;
    if (on_access && !(access.kind & weft_host_workgroup)) on_access(access);
    ++time_;
    const auto first = reinterpret_cast<uintptr_t>(access.address), end = first + access.bytes;
    for (uintptr_t word = first / 4 * 4; word < end; word += 4) {
      const uint32_t from = uint32_t(std::max(first, word) - word), to = uint32_t(std::min(end, word + 4) - word);
      if (race(access, shadow_.at(word), ((1u << to) - 1) & ~((1u << from) - 1), error)) {
        error += " (at " + hexadecimal(access.address) + ")";
        return true;
      }
    }
  }
  if (access.kind & (weft_host_acquire | weft_host_release)) synchronize(access.who, access.kind);
  return false;
}

bool Checker::out_of_bounds(const Access& access, const unsigned char* memory, std::string& error) {
  const auto beyond = [&](const unsigned char* start, uint64_t bytes) {
    return access.address < start || access.bytes > bytes || uint64_t(access.address - start) > bytes - access.bytes;
  };
  const auto where = [&](const unsigned char* start) {
    return access.address < start ? std::to_string(start - access.address) + " bytes before its start"
                                  : "at byte " + std::to_string(access.address - start);
  };
  if (access.kind & weft_host_workgroup) {
    const uint64_t bytes = dispatch_.code->workgroup_memory_bytes();
    if (!beyond(memory, bytes)) return false;
    error = "out of bounds: it " + verb(access) + " of workgroup memory " + where(memory) + "; the kernel has " +
            std::to_string(bytes);
    return true;
  }
  if (access.binding) {
    if (!beyond(access.binding->data, access.binding->bytes)) return false;
    error = "out of bounds: it " + verb(access) + " of a binding (number " +
            std::to_string(access.binding - dispatch_.bindings.data()) + " of the kernel, from 0) " +
            where(access.binding->data) + "; the bound view has " + std::to_string(access.binding->bytes);
    return true;
  }
  return outside_buffers(access, error);
}

bool Checker::outside_buffers(const Access& access, std::string& error) {
  const auto holds = [&](const Memory& memory) {
    return access.address >= memory.data() && uint64_t(access.address - memory.data()) < memory.bytes();
  };
  if (!last_found_ || !holds(*last_found_)) last_found_ = dispatch_.checked->find_before(access.address);
  if (last_found_) {
    const auto offset = uint64_t(access.address - last_found_->data()), bytes = last_found_->bytes();
    if (offset < bytes && access.bytes <= bytes - offset) return false;
  }
  error = "out of bounds: it " + verb(access) + " at ";
  if (!access.address) {
    error += "a null pointer";
    return true;
  }
  error += hexadecimal(access.address) + ", where the device has no buffer";
  if (last_found_) {
    error += "; the nearest buffer before it has " + std::to_string(last_found_->bytes()) +
             " bytes, and this is its byte " + std::to_string(access.address - last_found_->data());
  }
  return true;
}

bool Checker::ordered(const Trace& earlier, uint32_t who) const {
  return earlier.who == who ||
         (invocations_[earlier.who].released > earlier.time && invocations_[who].acquired > earlier.time);
}

std::string Checker::race_with(const Trace& earlier, const char* did, uint32_t who) const {
  const Invocation& other = invocations_[earlier.who];
  const auto& size = dispatch_.workgroup_size;
  const uint32_t index = other.local_index;
  return std::string("a data race: invocation ") +
         to_text({index % size[0], index / size[0] % size[1], index / size[0] / size[1]}) +
         (other.workgroup == invocations_[who].workgroup ? " of the same workgroup "
                                                         : " of workgroup " + to_text(other.workgroup) + " ") +
         did + " the same bytes at " + dispatch_.code->site(earlier.site) +
         ", and no barrier or atomic operation orders the two";
}

bool Checker::race(const Access& access, Word& word, uint32_t bytes, std::string& error) const {
  const bool atomic = access.kind & weft_host_atomic;
  const auto conflicts = [&](const Trace& earlier, const char* did) {
    if ((earlier.bytes & bytes) == 0 || (earlier.atomic && atomic) || ordered(earlier, access.who)) return false;
    error = "it " + verb(access) + " in " + race_with(earlier, did, access.who);
    return true;
  };
  if (conflicts(word.write, "wrote")) return true;
  if (access.kind & weft_host_write) {
    for (const Trace& read : word.reads) {
      if (conflicts(read, "read")) return true;
    }
  }
  const bool workgroup = access.kind & weft_host_workgroup;
  if (workgroup && (access.kind & weft_host_read) && (bytes & ~word.written) != 0) {
    error = "not initialised: it " + verb(access) + " of workgroup memory that has not been written";
    return true;
  }
  const Trace trace{time_, access.who, access.site, uint8_t(bytes), atomic};
  if (access.kind & weft_host_read) {
    if (word.reads[0].who != access.who) word.reads[1] = word.reads[0];
    word.reads[0] = trace;
  }
  if (access.kind & weft_host_write) {
    word.write = trace;
    word.written |= uint8_t(bytes);
  }
  return false;
}

}  // namespace weft::host

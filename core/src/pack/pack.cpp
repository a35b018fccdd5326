#include <weft/pack.h>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <system_error>

#include <weft/error.h>

#include "core/src/pack/contents.h"
#include "core/src/pack/format.h"
#include "core/src/pack/served_devices.h"
#include "core/src/platform/files.h"
#include "core/src/platform/utf8.h"

namespace weft {

using core::PackEntry;
using core::PackHeader;

namespace {

constexpr uint64_t most_bytes = uint64_t{1} << 32;
constexpr const char* make_one = "Make one with this version's `weft pack`.";
constexpr const char* copy_again = "Copy it again, or make it anew with `weft pack`.";
constexpr const char* name_one = "Give Pack::open() or WEFT_PACKS the path of a file that `weft pack` made.";

[[noreturn]] void refuse(const std::string& name, const std::string& reason, const char* advice) {
  throw Error(ErrorCode::invalid_argument, "The pack '" + name + "' " + reason + ". " + advice);
}

// The header and the table, checked so that reading an entry cannot leave the pack.
std::vector<PackEntry> checked_entries(std::span<const std::byte> bytes, const std::string& name) {
  PackHeader header;
  const PackHeader expected;
  if (bytes.size() < sizeof(header)) refuse(name, "is no pack: it has fewer bytes than a header", make_one);
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != expected.magic) refuse(name, "is no pack: it does not start with WEFTPACK", make_one);
  if (header.format != expected.format) {
    refuse(name,
           "has format " + std::to_string(header.format) + ", and this version of Weft reads format " +
               std::to_string(expected.format),
           make_one);
  }
  if (header.bytes != bytes.size()) {
    refuse(name,
           "is cut off or was changed: it has " + std::to_string(bytes.size()) + " bytes instead of " +
               std::to_string(header.bytes),
           copy_again);
  }
  if (header.hash != core::pack_hash(bytes)) refuse(name, "is damaged: its hash differs", copy_again);
  if (std::string_view(core::pack_sources()).substr(0, header.sources.size()) !=
      std::string_view(header.sources.data(), header.sources.size())) {
    refuse(name, "was made by another version of Weft, whose shaders or translator differ", make_one);
  }
  const auto rest = bytes.subspan(sizeof(header));
  if (header.entries > rest.size() / sizeof(PackEntry))
    refuse(name, "is damaged: its table is longer than the pack", copy_again);
  std::vector<PackEntry> entries(header.entries);
  if (!entries.empty()) std::memcpy(entries.data(), rest.data(), entries.size() * sizeof(PackEntry));
  std::vector<uint32_t> depths(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    const PackEntry& entry = entries[i];
    const bool inside = entry.offset <= bytes.size() && entry.packed <= bytes.size() - entry.offset;
    if (inside && entry.base < i) depths[i] = depths[entry.base] + 1;
    if (!inside || entry.base > i || depths[i] > core::most_bases) {
      refuse(name, "is damaged: an entry of its table is wrong", copy_again);
    }
  }
  return entries;
}

std::vector<std::byte> read_file(const std::filesystem::path& file) {
  const auto fail = [&](const std::string& reason, const std::string& advice) {
    throw Error(ErrorCode::io_failed,
                "The pack '" + core::utf8_text(file) + "' cannot be read: " + reason + ". " + advice);
  };
  try {
    const core::OpenedFile opened = core::OpenedFile::at_once(file);
    if (!opened.is_plain()) fail("it is not a file", name_one);
    if (const auto reason = opened.who_else_changes()) {
      fail("it holds code that runs as this user, and " + *reason,
           std::string("Make it this user's or root's alone (") + core::restricting_commands + ").");
    }
    return opened.read_rest({}, most_bytes);
  } catch (const std::system_error& error) {
    fail(error.code().message(), name_one);
    throw;
  }
}

}  // namespace

std::array<uint64_t, 2> core::pack_hash(std::span<const std::byte> pack) {
  PackHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  header.hash = {};
  XXH3_state_t state;
  XXH3_128bits_reset(&state);
  XXH3_128bits_update(&state, &header, sizeof(header));
  XXH3_128bits_update(&state, pack.data() + sizeof(header), pack.size() - sizeof(header));
  const XXH128_hash_t hash = XXH3_128bits_digest(&state);
  return {hash.low64, hash.high64};
}

Pack::Contents::Contents(std::span<const std::byte> given, std::string named)
    : name(std::move(named)), bytes(given), entries(checked_entries(bytes, name)) {}

Pack::Contents::Contents(std::vector<std::byte> given, std::string named)
    : name(std::move(named)), owned(std::move(given)), bytes(owned), entries(checked_entries(bytes, name)) {}

std::optional<std::vector<std::byte>> Pack::Contents::find(std::string_view kind, const core::CacheKey& key) const {
  const core::CacheKey wanted = core::pack_key(kind, key);
  const auto entry = std::ranges::lower_bound(entries, wanted, {}, &PackEntry::key);
  if (entry == entries.end() || entry->key != wanted) return std::nullopt;
  return unpacked(*entry);
}

std::vector<std::byte> Pack::Contents::unpacked(const PackEntry& entry) const {
  const std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  const auto frame = bytes.subspan(entry.offset, entry.packed);
  std::vector<std::byte> base;
  if (const PackEntry& other = entries[entry.base]; &other != &entry) {
    base = unpacked(other);
    ZSTD_DCtx_refPrefix(context.get(), base.data(), base.size());
  }
  std::vector<std::byte> result(entry.bytes);
  const size_t size = ZSTD_decompressDCtx(context.get(), result.data(), result.size(), frame.data(), frame.size());
  if (ZSTD_isError(size) || size != result.size()) refuse(name, "is damaged: an entry cannot be unpacked", copy_again);
  return result;
}

std::string Pack::Contents::text(std::string_view kind) const {
  const auto found = find(kind, {});
  return found ? std::string(reinterpret_cast<const char*>(found->data()), found->size()) : std::string();
}

Tuning Pack::Contents::tuning() const { return Tuning::parse(text(core::tuning_kind), "the pack '" + name + "'"); }

std::vector<DeviceInfo> Pack::Contents::served() const {
  const auto entry = find(core::served_kind, {});
  return entry ? core::decode_served(*entry) : std::vector<DeviceInfo>();
}

Pack Pack::open(const std::filesystem::path& file) {
  return Pack(std::make_shared<const Contents>(read_file(file), core::utf8_text(file)));
}

Pack Pack::in_memory(std::span<const std::byte> bytes, std::string name) {
  return Pack(std::make_shared<const Contents>(bytes, std::move(name)));
}

const std::string& Pack::name() const { return contents_->name; }

std::string Pack::description() const { return contents_->text(core::description_kind); }

}  // namespace weft

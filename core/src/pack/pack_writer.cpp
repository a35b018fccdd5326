#include "core/src/pack/pack_writer.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include <weft/error.h>

#include "core/src/pack/format.h"
#include "core/src/pack/served_devices.h"

namespace weft::core {
namespace {

constexpr int compression_level = 19;

std::vector<std::byte> compressed(std::span<const std::byte> payload, std::span<const std::byte> base) {
  const std::unique_ptr<ZSTD_CCtx, size_t (*)(ZSTD_CCtx*)> context(ZSTD_createCCtx(), ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, compression_level);
  if (!base.empty()) ZSTD_CCtx_refPrefix(context.get(), base.data(), base.size());
  std::vector<std::byte> frame(ZSTD_compressBound(payload.size()));
  const size_t size = ZSTD_compress2(context.get(), frame.data(), frame.size(), payload.data(), payload.size());
  if (ZSTD_isError(size)) {
    throw Error(ErrorCode::out_of_memory, std::string("A pack cannot be compressed: ") + ZSTD_getErrorName(size));
  }
  frame.resize(size);
  return frame;
}

// Which sequences of words a kernel has: the smallest of their hashes, sorted. The share that two of these sets have in
// common is about the share of the sequences (Broder 1997, min-wise hashing).
std::vector<uint64_t> sketch_of(std::span<const std::byte> payload) {
  constexpr size_t sequence = 16, most = 128;
  std::vector<uint64_t> hashes;
  for (size_t at = 0; at + sequence <= payload.size(); at += sizeof(uint32_t)) {
    hashes.push_back(XXH3_64bits(payload.data() + at, sequence));
  }
  std::ranges::sort(hashes);
  hashes.erase(std::ranges::unique(hashes).begin(), hashes.end());
  hashes.resize(std::min(hashes.size(), most));
  return hashes;
}

double likeness(const std::vector<uint64_t>& a, const std::vector<uint64_t>& b) {
  size_t both = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    both += *i == *j;
    const bool first = *i <= *j, second = *j <= *i;
    i += first;
    j += second;
  }
  return double(both) / double(std::max<size_t>(std::min(a.size(), b.size()), 1));
}

/// Finds the base of each of some entries, in the order of their numbers: the one before that is most like it. Kernels
/// of different names share what they include, so names do not matter.
class Bases {
 public:
  /// `number` itself if no entry has enough in common.
  uint32_t base_of(uint32_t number, std::span<const std::byte> payload) {
    constexpr double too_little = 0.05;
    Candidate candidate{number, 0, sketch_of(payload)};
    const Candidate* best = nullptr;
    double most = too_little;
    for (const Candidate& other : candidates_) {
      const double share = other.depth < most_bases ? likeness(other.sketch, candidate.sketch) : 0;
      if (share <= most) continue;
      most = share;
      best = &other;
    }
    const uint32_t base = best ? best->number : number;
    if (best) candidate.depth = best->depth + 1;
    candidates_.push_back(std::move(candidate));
    return base;
  }

 private:
  struct Candidate {
    uint32_t number, depth;
    std::vector<uint64_t> sketch;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace

void PackWriter::add(const Artifact& artifact, std::span<const std::byte> bytes) {
  const std::lock_guard lock(mutex_);
  entries_.try_emplace(pack_key(artifact.kind, artifact.key),
                       Entry{artifact.kind, artifact.kernel, {bytes.begin(), bytes.end()}});
}

std::map<std::string, PackWriter::Share> PackWriter::shares() const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Share> shares;
  for (const auto& [key, entry] : entries_) shares[entry.kind].add(entry.payload.size());
  return shares;
}

std::map<std::string, PackWriter::Share> PackWriter::shares_of(std::string_view kind) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, Share> shares;
  for (const auto& [key, entry] : entries_) {
    if (entry.kind == kind) shares[entry.kernel].add(entry.payload.size());
  }
  return shares;
}

std::optional<std::vector<std::byte>> PackWriter::find(const Artifact& artifact) const {
  const std::lock_guard lock(mutex_);
  const auto found = entries_.find(pack_key(artifact.kind, artifact.key));
  if (found == entries_.end()) return std::nullopt;
  return found->second.payload;
}

std::vector<std::byte> PackWriter::bytes(const std::string& description, std::span<const DeviceInfo> served) const {
  const std::lock_guard lock(mutex_);
  std::map<CacheKey, Entry> all = entries_;
  const auto text = std::as_bytes(std::span(description));
  all[pack_key(description_kind, {})] = {std::string(description_kind), {}, {text.begin(), text.end()}};
  all[pack_key(served_kind, {})] = {std::string(served_kind), {}, encode_served(served)};

  std::vector<PackEntry> table;
  std::map<std::string, Bases> bases;  // by kind
  for (const auto& [key, entry] : all) {
    const auto number = uint32_t(table.size());
    const uint32_t base = bases[entry.kind].base_of(number, entry.payload);
    table.push_back({key, 0, 0, uint32_t(entry.payload.size()), base, 0});
  }
  std::vector<std::byte> pack(sizeof(PackHeader) + table.size() * sizeof(PackEntry));
  std::vector<const Entry*> numbered;
  for (const auto& [key, entry] : all) numbered.push_back(&entry);
  for (size_t i = 0; i < table.size(); ++i) {
    const bool has_base = table[i].base != i;
    const auto frame =
        compressed(numbered[i]->payload, has_base ? std::span<const std::byte>(numbered[table[i].base]->payload)
                                                  : std::span<const std::byte>());
    table[i].offset = pack.size();
    table[i].packed = uint32_t(frame.size());
    pack.insert(pack.end(), frame.begin(), frame.end());
  }
  std::memcpy(pack.data() + sizeof(PackHeader), table.data(), table.size() * sizeof(PackEntry));
  PackHeader header;
  header.entries = uint32_t(table.size());
  std::memcpy(header.sources.data(), pack_sources(), header.sources.size());
  header.bytes = pack.size();
  std::memcpy(pack.data(), &header, sizeof(header));
  header.hash = pack_hash(pack);
  std::memcpy(pack.data(), &header, sizeof(header));
  return pack;
}

}  // namespace weft::core

#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include <weft/pack.h>

#include "core/src/pack/contents.h"
#include "core/src/pack/format.h"
#include "core/src/pack/pack_writer.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;
using core::Artifact;
using core::CacheKey;
using core::PackHeader;

namespace {

using PackBytes = std::vector<std::byte>;

struct Entry {
  Artifact artifact;
  PackBytes bytes;
};

// Variants of a few kernels, as in a real pack: alike, and compressible.
std::vector<Entry> random_entries(std::mt19937_64& generator) {
  std::vector<Entry> entries;
  const PackBytes common = random_bytes(2000, generator);
  for (uint64_t i = 0; i < 40; ++i) {
    PackBytes bytes(common.begin(), common.begin() + std::ptrdiff_t(generator() % common.size()));
    const PackBytes own = random_bytes(generator() % 100, generator);
    bytes.insert(bytes.end(), own.begin(), own.end());
    entries.push_back({{i % 2 ? "library" : "prepared", CacheKey().add(i), std::to_string(i % 3)}, bytes});
  }
  entries.push_back({{"library", CacheKey().add("empty"), ""}, {}});
  return entries;
}

PackBytes packed(const std::vector<Entry>& entries) {
  core::PackWriter writer;
  for (const Entry& entry : entries) writer.add(entry.artifact, entry.bytes);
  return writer.bytes("what it holds\n", {});
}

// So that what follows the hash is looked at too.
void set_hash(PackBytes& pack) {
  if (pack.size() < sizeof(PackHeader)) return;
  PackHeader header;
  std::memcpy(&header, pack.data(), sizeof(header));
  header.bytes = pack.size();
  std::memcpy(pack.data(), &header, sizeof(header));
  header.hash = core::pack_hash(pack);
  std::memcpy(pack.data(), &header, sizeof(header));
}

PackBytes mutated(PackBytes pack, std::mt19937_64& generator) {
  for (uint64_t changes = 1 + generator() % 3; changes > 0 && !pack.empty(); --changes) {
    // The table is where most harm could be done.
    const size_t at = generator() % (generator() % 2 ? pack.size() : std::min<size_t>(pack.size(), 2000));
    switch (generator() % 4) {
      case 0:
        pack[at] ^= std::byte(1 << generator() % 8);
        break;
      case 1:
        pack[at] = std::byte(generator());
        break;
      case 2:
        pack.resize(at);
        break;
      default:
        pack.insert(pack.begin() + std::ptrdiff_t(at), 1 + generator() % 8, std::byte(generator()));
    }
  }
  return pack;
}

}  // namespace

TEST_CASE("a pack gives back what was put in, and the same bytes in any order") {
  std::mt19937_64 generator = random_generator("packs");
  std::vector<Entry> entries = random_entries(generator);
  const PackBytes bytes = packed(entries);
  const Pack pack = Pack::in_memory(bytes, "a pack");
  CHECK_EQ(pack.name(), "a pack");
  CHECK_EQ(pack.description(), "what it holds\n");
  for (const Entry& entry : entries) {
    const auto found = pack.contents().find(entry.artifact.kind, entry.artifact.key);
    REQUIRE(found);
    CHECK((*found == entry.bytes));
  }
  CHECK_FALSE(pack.contents().find("library", CacheKey().add("none")));
  CHECK_FALSE(pack.contents().find("prepared", entries[1].artifact.key));
  std::ranges::shuffle(entries, generator);
  entries.push_back(entries.front());
  CHECK((packed(entries) == bytes));
}

TEST_CASE("changed packs are errors, and never crash") {
  std::mt19937_64 generator = random_generator("changed packs");
  const std::vector<Entry> entries = random_entries(generator);
  const PackBytes bytes = packed(entries);
  size_t refused = 0;
  constexpr size_t tries = 20000;
  for (size_t i = 0; i < tries; ++i) {
    PackBytes changed = mutated(bytes, generator);
    const bool same = changed == bytes;
    const bool forged = i % 2 == 1;
    if (forged) set_hash(changed);
    try {
      const Pack pack = Pack::in_memory(changed, "changed");
      CHECK((same || forged));
      for (const Entry& entry : entries) {
        static_cast<void>(pack.contents().find(entry.artifact.kind, entry.artifact.key));
      }
      static_cast<void>(pack.description());
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::invalid_argument);
      ++refused;
    }
  }
  CHECK_GT(refused, tries / 2);
}

TEST_CASE("what is no pack, cut off or another version's says so") {
  std::mt19937_64 generator = random_generator("other packs");
  const PackBytes good = packed(random_entries(generator));
  const auto check = [&](const std::vector<std::string>& words, const std::function<void(PackBytes&)>& change) {
    PackBytes bytes = good;
    change(bytes);
    check_invalid(words, [&] { Pack::in_memory(bytes, "mine"); });
  };
  check({"'mine'", "is no pack"}, [](PackBytes& b) { b.resize(10); });
  check({"is no pack", "WEFTPACK"}, [](PackBytes& b) { b[0] = std::byte('X'); });
  check({"format 2", "reads format 1", "weft pack"}, [](PackBytes& b) { b[8] = std::byte(2); });
  check({"cut off"}, [](PackBytes& b) { b.pop_back(); });
  check({"damaged", "hash"}, [](PackBytes& b) { b.back() ^= std::byte(1); });
  check({"damaged", "hash"}, [](PackBytes& b) { b[12] ^= std::byte(1); });  // the number of entries
  check({"another version of Weft", "weft pack"}, [](PackBytes& b) {
    b[20] ^= std::byte(1);
    set_hash(b);
  });
}

TEST_CASE("a file is read whole, and refused where others can change it") {
  std::mt19937_64 generator = random_generator("pack files");
  const TemporaryFolder folder;
  const auto file = folder.path() / "mine.weftpack";
  check_error(ErrorCode::io_failed, {"mine.weftpack", "No such file"}, [&] { Pack::open(file); });
  const std::vector<Entry> entries = random_entries(generator);
  write_file(file, packed(entries));
  REQUIRE_EQ(chmod(file.c_str(), 0644), 0);
  const Pack pack = Pack::open(file);
  CHECK_EQ(pack.name(), file.string());
  std::filesystem::remove(file);  // the pack stays
  CHECK((*pack.contents().find(entries[0].artifact.kind, entries[0].artifact.key) == entries[0].bytes));
  write_file(file, packed(entries));
  REQUIRE_EQ(chmod(file.c_str(), 0666), 0);
  check_error(ErrorCode::io_failed, {"every user can write it", "chmod"}, [&] { Pack::open(file); });
  check_error(ErrorCode::io_failed, {"not a file"}, [&] { Pack::open(folder.path()); });
}

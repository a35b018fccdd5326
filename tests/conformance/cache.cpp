#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>

#include "tests/support/environment.h"
#include "tests/support/files.h"
#include "tests/support/test.h"

using namespace weft;
using namespace weft::test;

/// The cache on disk, seen from outside: each use is a separate process.

namespace {

std::string selector() {
  const char* devices = std::getenv("WEFT_TEST_DEVICES");
  const std::string list = devices == nullptr ? "" : devices;
  return list.substr(0, list.find_first_of(",;"));
}

/// Drivers keep no caches of their own, which would be in the same folders.
Outcome run_child(std::vector<std::string> environment) {
  environment.insert(environment.end(), {"MESA_SHADER_CACHE_DISABLE=true", "__GL_SHADER_DISK_CACHE=0"});
  return run_again({"--no-skip", "-tc=the child of the cache tests"}, environment);
}

/// Runs a child with its cache in that folder. Fails the test unless the child computes the right result.
void check_child(const std::filesystem::path& cache) {
  const Outcome outcome = run_child({"WEFT_CACHE_DIR=" + cache.string()});
  INFO(outcome.output);
  CHECK_EQ(outcome.status, 0);
  CHECK(outcome.output.find("the kernel computed 391") != std::string::npos);
}

/// Runs a child whose default cache is unusable. Fails the test unless the child computes and warns once, with these
/// words.
void check_goes_on(std::vector<std::string> environment, const std::string& words) {
  environment.push_back("WEFT_CACHE_DIR");
  const Outcome outcome = run_child(environment);
  INFO(outcome.output);
  CHECK(outcome.output.find("the kernel computed 391") != std::string::npos);
  const std::string warning = "weft: warning: ";
  const size_t at = outcome.output.find(warning);
  REQUIRE(at != std::string::npos);
  CHECK(outcome.output.find(warning, at + 1) == std::string::npos);
  const std::string line = outcome.output.substr(at, outcome.output.find('\n', at) - at);
  CHECK(line.find(words) != std::string::npos);
  CHECK(line.find("WEFT_CACHE_DIR") != std::string::npos);
}

struct FileState {
  std::vector<std::byte> bytes;
  ino_t inode = 0;
  int64_t seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;
};

std::map<std::string, FileState> files_of(const std::filesystem::path& folder) {
  std::map<std::string, FileState> files;
  if (!std::filesystem::exists(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    struct stat status{};
    REQUIRE_EQ(stat(entry.path().c_str(), &status), 0);
    files[entry.path().string()] = {read_file(entry.path()), status.st_ino, status.st_mtim.tv_sec,
                                    status.st_mtim.tv_nsec};
  }
  return files;
}

}  // namespace

TEST_CASE("the child of the cache tests" * doctest::skip()) {
  const Device device = open_device(selector());
  Stream stream = device.stream();
  const Buffer<uint32_t> target = device.buffer<uint32_t>(1);
  try {
    stream.fill(target, 0xa5a5a5a5u);  // On some backends this is a kernel too.
    const Kernel kernel = device.kernel_from_glsl(R"(#version 460
      layout(local_size_x = 1) in;
      layout(constant_id = 0) const uint factor = 1;
      layout(set = 0, binding = 0, std430) buffer target_block { uint v[]; } target;
      void main() { target.v[0] = factor * 23; })",
                                                  KernelOptions().specialize(0, 17u));
    stream.dispatch(kernel, {}, Arguments().bind(0, 0, target));
  } catch (const Error& error) {
    std::cout << "the kernel failed: " << to_string(error.code()) << ": " << error.what() << std::endl;
    return;
  }
  std::cout << "the kernel computed " << stream.download(target).at(0) << std::endl;
}

TEST_CASE("a second process takes kernels from the cache and does not change it") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "not" / "there" / "yet";
  check_child(cache);
  const auto first = files_of(cache);
  CHECK_GE(first.size(), 2);  // the SPIR-V and the driver's code
  check_child(cache);
  CHECK((files_of(cache) == first));
}

TEST_CASE("a damaged file is a miss: the kernel is compiled again and the file is repaired") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  check_child(cache);
  const auto good = files_of(cache);
  REQUIRE_GE(good.size(), 2);
  std::mt19937_64 generator = random_generator("damage");
  using Bytes = std::vector<std::byte>;
  const auto& foreign = good.begin()->second.bytes;
  const std::vector<std::pair<const char*, std::function<void(Bytes&)>>> damages{
      {"empty", [](Bytes& b) { b.clear(); }},
      {"cut in half", [](Bytes& b) { b.resize(b.size() / 2); }},
      {"one byte short", [](Bytes& b) { b.pop_back(); }},
      {"longer", [](Bytes& b) { b.insert(b.end(), 100, std::byte(7)); }},
      {"a flipped bit at the front", [&](Bytes& b) { b[generator() % 16] ^= std::byte(1 << generator() % 8); }},
      {"a flipped bit", [&](Bytes& b) { b[generator() % b.size()] ^= std::byte(1 << generator() % 8); }},
      {"a flipped bit at the end", [](Bytes& b) { b.back() ^= std::byte(0x80); }},
      {"all zero", [](Bytes& b) { std::fill(b.begin(), b.end(), std::byte(0)); }},
      {"random", [&](Bytes& b) { b = random_bytes(b.size(), generator); }},
      {"another program's", [](Bytes& b) { b.assign(300, std::byte('x')); }},
      {"another entry's", [&](Bytes& b) { b = b == foreign ? good.rbegin()->second.bytes : foreign; }},
  };
  for (const auto& [what, damage] : damages) {  // of all files at once
    std::map<std::string, Bytes> damaged;
    for (const auto& [path, state] : good) {
      damage(damaged[path] = state.bytes);
      write_file(path, damaged[path]);
    }
    check_child(cache);
    for (const auto& [path, bytes] : damaged) {
      INFO(std::string(what), ": ", path);
      CHECK((read_file(path) != bytes));
    }
  }
  CHECK_EQ(files_of(cache).size(), good.size());
}

TEST_CASE("many processes fill one cache at once") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  on_threads(8, [&](int) { check_child(cache); });
  const auto files = files_of(cache);
  const TemporaryFolder other;
  check_child(other.path() / "cache");
  CHECK_EQ(files.size(), files_of(other.path() / "cache").size());  // and no unfinished ones
  check_child(cache);
  CHECK((files_of(cache) == files));
}

TEST_CASE("a cache named by the user that cannot be written is an error with a remedy") {
  const TemporaryFolder folder;
  folder.write("file", "no folder can be made under this");
  for (const std::string& cache : {(folder.path() / "file" / "cache").string(), std::string("/proc/weft-cache")}) {
    const Outcome outcome = run_child({"WEFT_CACHE_DIR=" + cache});
    INFO(outcome.output);
    CHECK_EQ(outcome.status, 0);
    CHECK(outcome.output.find("the kernel failed: io_failed") != std::string::npos);
    CHECK(outcome.output.find(cache) != std::string::npos);
    CHECK(outcome.output.find("WEFT_CACHE_DIR") != std::string::npos);
  }
}

TEST_CASE("an unusable default cache is one warning, and work goes on") {
  const TemporaryFolder folder;
  folder.write("file", "no folder can be made under this");
  const std::string path = folder.path().string();
  check_goes_on({"XDG_CACHE_HOME=" + path + "/file"}, path + "/file/weft");
  check_goes_on({"XDG_CACHE_HOME", "HOME=/proc/none"}, "/proc/none/.cache/weft");
  check_goes_on({"XDG_CACHE_HOME", "HOME"}, "HOME");
  std::filesystem::create_directories(folder.path() / "open" / "weft");
  std::filesystem::permissions(folder.path() / "open" / "weft", std::filesystem::perms::all);
  check_goes_on({"XDG_CACHE_HOME=" + path + "/open"}, "every user can write it");
  CHECK(files_of(folder.path() / "open").empty());
}

TEST_CASE("a default cache on a full disk, or with a folder instead of an entry, is one warning") {
  const TemporaryFolder folder;
  const std::string home = "XDG_CACHE_HOME=" + folder.path().string();
  if (FailingFile::possible()) {  // not if the program was copied to another machine alone
    const FailingFile fault("write:.tmp:20");
    check_goes_on({home}, "No space left on device");
  }
  CHECK(files_of(folder.path()).empty());
  check_child(folder.path() / "weft");
  for (const auto& [path, state] : files_of(folder.path())) {
    std::filesystem::remove(path);
    std::filesystem::create_directory(path);
  }
  check_goes_on({home}, "Is a directory");
}

TEST_CASE("the folder is created for this user alone, and one that others can change is refused by name") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "above" / "cache";
  check_child(cache);
  for (const auto& made : {cache, cache.parent_path()}) {
    CHECK((std::filesystem::status(made).permissions() == std::filesystem::perms::owner_all));
  }
  const auto good = files_of(cache);
  const auto check_refused = [&](const std::string& reason) {
    const Outcome outcome = run_child({"WEFT_CACHE_DIR=" + cache.string()});
    INFO(outcome.output);
    CHECK(outcome.output.find("the kernel failed: io_failed") != std::string::npos);
    for (const std::string& part : {cache.string(), reason, std::string("chmod")}) {
      CHECK_MESSAGE(outcome.output.find(part) != std::string::npos, "the output lacks: ", part);
    }
    CHECK((files_of(cache) == good));
  };
  REQUIRE_EQ(chmod(cache.c_str(), 0707), 0);
  check_refused("every user can write it");
  REQUIRE_EQ(chmod(cache.c_str(), 01777), 0);
  check_refused("every user can write it");
  REQUIRE_EQ(chmod(cache.c_str(), 0755), 0);
  check_child(cache);          // others may read it
  if (geteuid() != 0) return;  // only root can give files away
  constexpr uid_t other = 12345;
  REQUIRE_EQ(chown(cache.c_str(), other, 0), 0);
  check_refused("it belongs to user 12345");
  REQUIRE_EQ(chown(cache.c_str(), 0, other), 0);
  REQUIRE_EQ(chmod(cache.c_str(), 0770), 0);
  check_refused("group 12345 can write it");
}

TEST_CASE("entries that are links, another user's or writable by others are misses and are replaced") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  check_child(cache);
  const auto good = files_of(cache);
  const auto check_made_anew = [&](const char* what, const std::function<void(const std::string&)>& spoil) {
    for (const auto& [path, state] : good) spoil(path);
    check_child(cache);
    for (const auto& [path, state] : good) {
      INFO(std::string(what), ": ", path);
      struct stat status{};
      REQUIRE_EQ(lstat(path.c_str(), &status), 0);
      CHECK(S_ISREG(status.st_mode));
      CHECK_EQ(status.st_uid, geteuid());
      CHECK_EQ(status.st_mode & 0777, 0600);
    }
  };
  check_made_anew("a link to a good one", [&](const std::string& path) {
    const std::filesystem::path elsewhere = folder.path() / std::filesystem::path(path).filename();
    std::filesystem::rename(path, elsewhere);
    std::filesystem::create_symlink(elsewhere, path);
  });
  check_made_anew("a pipe", [](const std::string& path) {
    std::filesystem::remove(path);
    REQUIRE_EQ(mkfifo(path.c_str(), 0600), 0);
  });
  check_made_anew("open to others", [](const std::string& path) { REQUIRE_EQ(chmod(path.c_str(), 0666), 0); });
  if (geteuid() != 0) return;
  check_made_anew("another's", [](const std::string& path) { REQUIRE_EQ(chown(path.c_str(), 12345, 0), 0); });
}

TEST_CASE("the length of an entry is not trusted: a huge one is a miss, and soon found") {
  const TemporaryFolder folder;
  const std::filesystem::path cache = folder.path() / "cache";
  check_child(cache);
  const auto good = files_of(cache);
  constexpr uint64_t header_bytes = 64;
  const auto check_miss = [&](const std::function<void(const std::string&)>& spoil) {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& [path, state] : good) spoil(path);
    check_child(cache);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    for (const auto& [path, state] : good) CHECK((read_file(path).size() < 1 << 26));
  };
  for (const uint64_t bytes : {uint64_t(20) << 30, uint64_t(4) << 40}) {
    INFO(bytes);
    check_miss([&](const std::string& path) {  // without a header
      std::filesystem::resize_file(path, 0);
      std::filesystem::resize_file(path, bytes);
    });
    check_miss([&](const std::string& path) { std::filesystem::resize_file(path, bytes); });
    check_miss([&](const std::string& path) {  // with a header that gives that length
      std::vector<std::byte> start = read_file(path);
      start.resize(header_bytes);
      const uint64_t payload_bytes = bytes - header_bytes;
      std::memcpy(&start[48], &payload_bytes, sizeof(payload_bytes));
      write_file(path, start);
      std::filesystem::resize_file(path, bytes);
    });
  }
}

TEST_CASE("an empty WEFT_CACHE_DIR turns the cache off") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  const Outcome outcome = run_child({"WEFT_CACHE_DIR=", "XDG_CACHE_HOME=" + path, "HOME=" + path});
  INFO(outcome.output);
  CHECK(outcome.output.find("the kernel computed 391") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "weft"));
  CHECK_FALSE(std::filesystem::exists(folder.path() / ".cache" / "weft"));
}

TEST_CASE("without WEFT_CACHE_DIR the cache is where the XDG rules put it") {
  const TemporaryFolder folder;
  const std::string path = folder.path().string();
  run_child({"WEFT_CACHE_DIR", "XDG_CACHE_HOME=" + path + "/xdg", "HOME=" + path + "/home"});
  CHECK_GE(files_of(folder.path() / "xdg" / "weft").size(), 2);
  CHECK(files_of(folder.path() / "home" / ".cache" / "weft").empty());
  run_child({"WEFT_CACHE_DIR", "XDG_CACHE_HOME", "HOME=" + path + "/home"});
  CHECK_GE(files_of(folder.path() / "home" / ".cache" / "weft").size(), 2);
  // A relative path in it must be ignored.
  run_child({"WEFT_CACHE_DIR", "XDG_CACHE_HOME=relative", "HOME=" + path + "/second"});
  CHECK_FALSE(std::filesystem::exists("relative"));
  CHECK_GE(files_of(folder.path() / "second" / ".cache" / "weft").size(), 2);
}

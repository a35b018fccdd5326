#include <sys/stat.h>

#include <thread>

#include "tests/algorithms/base/elements.h"
#include "tests/packs/packed.h"

using namespace weft;
using namespace weft::test;

/// A pack's file that another process replaces.

namespace {

void shell(const std::string& command) { REQUIRE_EQ(run_program("sh", {"-c", "umask 022; " + command}).status, 0); }

struct Files {
  explicit Files(const Device& device) {
    write_file(sort, pack_for(device, {"Sort key=uint max_count=5000"}));
    write_file(scan, pack_for(device, {"Scan element=uint op=sum max_count=5000"}));
    for (const auto& file : {sort, scan}) REQUIRE_EQ(chmod(file.c_str(), 0644), 0);
    shell("cp " + sort.string() + " " + used.string());
  }

  const TemporaryFolder folder;
  const std::filesystem::path sort = folder.path() / "sort", scan = folder.path() / "scan",
                              used = folder.path() / "used", stop = folder.path() / "stop";
};

}  // namespace

DEVICE_TEST("an open pack stays what it was when its file is replaced") {
  std::mt19937_64 generator = random_generator("replaced packs");
  const Files files(device);
  std::vector<uint32_t> data = random_elements<uint32_t>(3000, generator);
  for (const char* way :
       {"cat scan >used", "cp scan new && mv new used", ": >used", "rm used", "head -c 999 sort >used"}) {
    INFO(way);
    shell("cp " + files.sort.string() + " " + files.used.string());
    DeviceOptions options = device.options();
    const auto cache = std::make_shared<MemoryCache>();
    options.cache = cache;
    options.packs = {Pack::open(files.used)};
    shell("cd " + files.folder.path().string() + " && " + way);  // between open and use
    const Device other = open_device(device.info().selector, options);
    const Sort plan(other, Element::of<uint32_t>(), 5000);
    CHECK_EQ(compiled_entries(*cache), 0);
    const std::vector<uint32_t> result = sorted_on(other, data);
    CHECK(std::ranges::is_sorted(result));
  }
}

DEVICE_TEST("a pack that is opened while another process writes it is the old one, the new one, or an error") {
  const Files files(device);
  const std::string old_text = Pack::open(files.sort).description(), new_text = Pack::open(files.scan).description();
  REQUIRE_NE(old_text, new_text);
  for (const bool in_place : {true, false}) {
    INFO(in_place);
    const std::string write = in_place ? "cat $one >used" : "cp $one new && mv new used";
    std::thread other([&] {
      run_program("sh", {"-c", "umask 022; cd " + files.folder.path().string() +
                                   "; until [ -e stop ]; do for one in scan sort; do " + write + "; done; done"});
    });
    size_t opened = 0;
    for (int i = 0; i < 300; ++i) {
      try {
        const std::string text = Pack::open(files.used).description();
        CHECK((text == old_text || text == new_text));
        ++opened;
      } catch (const Error& error) {
        const std::string message = error.what();
        INFO(message);
        CHECK(in_place);
        CHECK_EQ(error.code(), ErrorCode::invalid_argument);
        CHECK((message.find("damaged") != std::string::npos || message.find("cut off") != std::string::npos ||
               message.find("is no pack") != std::string::npos));
      }
    }
    write_file(files.stop, {});
    other.join();
    std::filesystem::remove(files.stop);
    if (!in_place) CHECK_EQ(opened, 300);
  }
}

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "bench/peer/interface.h"
#include "tests/support/environment.h"
#include "tests/support/test.h"
#include "tests/tools/command.h"

using namespace weft;
using namespace weft::test;

namespace {

std::string fake_peer() { return std::getenv("WEFT_FAKE_PEER"); }

std::vector<std::string> beside(const std::string& peer, const Device& device, const std::string& what) {
  return {"bench", what,      "--peer", peer,     "--device", selector_of(device), "--time", "0", "--warm-up",
          "0",     "--sizes", "1000",   "--json", "r.json"};
}

}  // namespace

DEVICE_TEST("bench times a peer in turns with ours and gives the ratio to the fastest of its forms") {
  const Folder folder;
  const Outcome outcome = folder.weft(beside(fake_peer(), device, "scan"));
  check_success(outcome);
  for (const char* text : {"ratio", "peer's form", " quick\n"}) CHECK(outcome.out.find(text) != std::string::npos);
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  CHECK(json.at("peer") == "fake 1.0");
  const auto& result = json.at("results").at(0);
  const auto& peer = result.at("peer");
  CHECK(peer.at("form") == "quick");
  CHECK(peer.at("seconds").at("median") == 0.5);  // as reported by the fake peer
  CHECK(peer.at("elements_per_second") == 2000);
  CHECK(peer.at("runs") >= 10);
  CHECK(peer.at("ratio").get<double>() == doctest::Approx(0.5 / result.at("seconds").at("median").get<double>()));
}

DEVICE_TEST("a peer's only form is not named") {
  const Folder folder;
  check_success(folder.weft(beside(fake_peer(), device, "reduce")));
  const auto peer = nlohmann::json::parse(folder.read("r.json")).at("results").at(0).at("peer");
  CHECK(peer.at("seconds").at("median") == 0.5);
  CHECK_FALSE(peer.contains("form"));
}

DEVICE_TEST("bench plots the ratios to a peer, with a panel for each size") {
  const Folder folder;
  check_success(folder.weft(beside(fake_peer(), device, "reduce")));
  check_success(folder.weft({"bench", "--from", "r.json", "--plot", "r.svg"}));
  const std::string svg = folder.read("r.svg");
  for (const char* text : {"reduce u32", "1,000 elements", "times as fast", "fake 1.0", "</svg>"}) {
    INFO(std::string(text));
    CHECK(svg.find(text) != std::string::npos);
  }
}

DEVICE_TEST("a row that a peer lacks is reported, and ours is measured all the same") {
  const Folder folder;
  check_success(folder.weft(beside(fake_peer(), device, "compact")));
  const auto result = nlohmann::json::parse(folder.read("r.json")).at("results").at(0);
  CHECK(result.at("seconds").at("median") > 0);
  CHECK(result.at("peer").at("skipped").get<std::string>().find("only scan and reduce") != std::string::npos);
}

DEVICE_TEST("a peer whose results are wrong, or that fails, ends the benchmark") {
  const Folder folder;
  {
    const Environment wrong("FAKE_PEER", "wrong");
    check_failure(folder.weft(beside(fake_peer(), device, "reduce")), 1, {"verification failed", "fake 1.0", "reduce"});
  }
  {
    // The outputs of other forms do not count for it.
    const Environment idle("FAKE_PEER", "idle");
    check_failure(folder.weft(beside(fake_peer(), device, "scan")), 1, {"verification failed", "scan by slower"});
  }
  const Environment broken("FAKE_PEER", "broken");
  check_failure(folder.weft(beside(fake_peer(), device, "scan")), 1, {"fake 1.0", "asked to be broken"});
}

DEVICE_TEST("the C++ standard library is a peer of what it has, and is verified") {
  if (!std::getenv("WEFT_CPP_PEER")) unsupported("this build has no weft_cpp_peer");
  const Folder folder;
  std::vector<std::string> words = beside("cpp", device, "copy:buffer");
  words.insert(words.begin() + 2, {"reduce", "scan", "compact", "histogram", "sort:keys", "sort:pairs"});
  check_success(folder.weft(words));
  const auto json = nlohmann::json::parse(folder.read("r.json"));
  CHECK(json.at("peer").get<std::string>().find("TBB") != std::string::npos);
  REQUIRE(json.at("results").size() == 7);
  for (const auto& result : json.at("results")) {
    INFO(result.dump());
    CHECK(result.at("peer").at("seconds").at("median") > 0);
  }
  check_success(folder.weft(beside("cpp", device, "merge")));
  const auto merge = nlohmann::json::parse(folder.read("r.json")).at("results").at(0);
  CHECK(merge.at("peer").at("skipped").get<std::string>().find("no merge of u32 and u32") != std::string::npos);
}

TEST_CASE("a missing peer, or one with another interface, is refused before anything runs") {
  const Folder folder;
  check_failure(folder.weft({"bench", "--peer", "nonesuch"}), 2,
                {"libweft_nonesuch_peer.so", "weft_cub_peer", "libtbb-dev"});
  check_failure(folder.weft({"bench", "--peer", "./no-such-file.so"}), 2, {"no-such-file.so"});
  check_failure(folder.weft({"bench", "--peer", std::getenv("WEFT_OLD_PEER")}), 2,
                {"version 0", "program version " + std::to_string(int{weft_peer_interface_version})});
}

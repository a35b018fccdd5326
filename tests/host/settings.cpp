#include "backends/host/settings.h"

#include <doctest/doctest.h>

#include <weft/weft.h>

using namespace weft;
using namespace weft::host;

TEST_CASE("settings are read in any order, and written back") {
  const Settings settings =
      parse_settings("check=on,schedule=12345678901234567890,compile_seconds=7,form=fibers,subgroup=128,threads=3");
  CHECK_EQ(settings.subgroup_size, 128);
  CHECK_EQ(settings.threads, 3);
  CHECK(settings.schedule == std::optional<uint64_t>(12345678901234567890u));
  CHECK(settings.check);
  CHECK_EQ(settings.compile_seconds, 7);
  CHECK_FALSE(settings.runs_lanes());
  CHECK_EQ(settings.selector(), "host:subgroup=128,threads=3,schedule=12345678901234567890,check=on,compile_seconds=7");
}

TEST_CASE("the form is lanes, with a schedule or checks fibers, and a selector says it only where it has to") {
  struct Row {
    const char *text, *selector;
    bool lanes;
  };
  constexpr Row rows[] = {{"", "host", true},
                          {"form=lanes", "host", true},
                          {"check=off", "host", true},
                          {"check=off,form=lanes", "host", true},
                          {"subgroup=64", "host:subgroup=64", true},
                          {"form=fibers", "host:form=fibers", false},
                          {"subgroup=16", "host", true},
                          {"subgroup=32", "host:subgroup=32", true},
                          {"form=fibers,subgroup=16", "host:subgroup=16,form=fibers", false},
                          {"check=on,subgroup=32", "host:check=on", false},
                          {"schedule=1,subgroup=16", "host:subgroup=16,schedule=1", false},
                          {"form=fibers,check=off,subgroup=4", "host:subgroup=4,form=fibers", false},
                          {"schedule=0", "host:schedule=0", false},
                          {"form=fibers,schedule=7", "host:schedule=7", false},
                          {"check=on,form=fibers", "host:check=on", false},
                          {"check=on", "host:check=on", false}};
  for (const Row& row : rows) {
    INFO(row.text);
    const Settings settings = parse_settings(row.text);
    CHECK_EQ(settings.runs_lanes(), row.lanes);
    CHECK_EQ(settings.selector(), row.selector);
    const std::string written = settings.selector().substr(std::string("host").size());
    const Settings again = parse_settings(written.empty() ? "" : written.substr(1));
    CHECK_EQ(again.runs_lanes(), row.lanes);
    CHECK_EQ(again.subgroup_size, settings.subgroup_size);
    CHECK_EQ(again.selector(), row.selector);
  }
  CHECK(Settings{}.runs_lanes());
}

TEST_CASE("lanes with a schedule or checks are an error that says what would be right") {
  const auto check = [](const char* text, const char* needs) {
    INFO(text);
    try {
      parse_settings(text);
      FAIL_CHECK("it was taken");
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::invalid_argument);
      const std::string message = error.what();
      CHECK(message.find(std::string(needs) + " needs invocations by themselves") != std::string::npos);
    }
  };
  check("form=lanes,check=on", "check=on");
  check("check=on,form=lanes", "check=on");
  check("schedule=0,form=lanes", "schedule=SEED");
}

TEST_CASE("an unknown setting is an error that names the settings") {
  for (const char* text : {"subgroup=3",
                           "subgroup=0",
                           "subgroup=256",
                           "subgroup=",
                           "subgroup=-4",
                           "subgroup=4x",
                           "subgroup= 4",
                           "threads=0",
                           "threads=1025",
                           "schedule=x",
                           "schedule=-1",
                           "schedule=18446744073709551616",
                           "check=yes",
                           "color=red",
                           "compile_seconds=0",
                           "compile_seconds=86401",
                           "compile_seconds=1.5",
                           "=",
                           "subgroup=4,threads",
                           "subgroup=4,,threads=2",
                           "form=simd"}) {
    INFO(text);
    try {
      open_device(std::string("host:") + text);
      FAIL_CHECK("it was taken");
    } catch (const Error& error) {
      CHECK_EQ(error.code(), ErrorCode::invalid_argument);
      const std::string message = error.what();
      for (const char* name : {"subgroup=", "threads=", "schedule=", "check=", "form=", "compile_seconds="}) {
        CHECK(message.find(name) != std::string::npos);
      }
    }
  }
}

TEST_CASE("the host device opens by name, number and settings") {
  CHECK_EQ(open_device("host").info().selector, "host");
  CHECK_EQ(open_device("host:0").info().limits.subgroup_size, 16);
  CHECK_EQ(open_device("host:form=fibers").info().limits.subgroup_size, 32);
  CHECK_EQ(open_device("host:check=on").info().limits.subgroup_size, 32);
  CHECK_EQ(open_device("host:subgroup=64").info().limits.subgroup_size, 64);
  CHECK_EQ(open_device("host:subgroup=64").info().selector, "host:subgroup=64");
  size_t found = 0;
  for (const BackendInfo& backend : list_devices()) found += backend.name == "host" ? backend.devices.size() : 0;
  CHECK_EQ(found, 1);
}

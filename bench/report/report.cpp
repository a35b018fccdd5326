#include "bench/report/report.h"

#include <nlohmann/json.hpp>

#include "support/array_file.h"

namespace weft::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const DeviceReport& device) {
  Json json = {{"selector", device.selector},
               {"name", device.name},
               {"driver", device.driver},
               {"api", device.api},
               {"kind", device.kind},
               {"copy",
                {{"bytes", device.copy.bytes},
                 {"kernel_bytes_per_second", device.copy.kernel},
                 {"buffer_bytes_per_second", device.copy.buffer},
                 {"yardstick", device.copy.best_name()}}},
               {"launch",
                {{"host_seconds", device.launch.host},
                 {"device_seconds", device.launch.device},
                 {"latency_seconds", device.launch.latency}}}};
  if (device.record) {
    json["record"] = {{"stream_seconds", device.record->stream},
                      {"command_buffer_seconds", device.record->command_buffer},
                      {"ratio", device.record->ratio()}};
  }
  return json;
}

Json to_json(const Timing& timing) { return {{"median", timing.median}, {"min", timing.min}, {"max", timing.max}}; }

Json to_json(const Report& report, const Result& result) {
  Json json = {{"primitive", result.primitive},
               {"variant", result.variant},
               {"device", result.device},
               {"type", result.type},
               {"elements", result.elements}};
  if (!result.skipped.empty()) {
    json["skipped"] = result.skipped;
    return json;
  }
  json["verified"] = true;  // a wrong result ends the benchmark
  json["runs"] = result.timing.runs;
  json["sets"] = result.sets;
  json["clock"] = result.timing.device_clock ? "device" : "host";
  json["seconds"] = to_json(result.timing);
  json["bytes_moved"] = result.bytes_moved;
  json["elements_per_second"] = result.elements_per_second();
  json["bytes_per_second"] = result.bytes_per_second();
  json["share_of_copy"] = report.share_of_copy(result);
  if (result.peer_timing) {
    json["peer"] = {{"runs", result.peer_timing->runs},
                    {"seconds", to_json(*result.peer_timing)},
                    {"elements_per_second", result.peer_elements_per_second()},
                    {"ratio", result.peer_ratio()}};
    if (!result.peer_form.empty()) json["peer"]["form"] = result.peer_form;
  } else if (!result.peer_skipped.empty()) {
    json["peer"] = {{"skipped", result.peer_skipped}};
  }
  return json;
}

DeviceReport device_from(const Json& json) {
  const Json& copy = json.at("copy");
  const Json launch = json.value("launch", Json::object());  // older files have none
  std::optional<RecordCosts> record;
  if (json.contains("record")) {
    record = {json.at("record").at("stream_seconds"), json.at("record").at("command_buffer_seconds")};
  }
  return {
      json.at("selector"),
      json.at("name"),
      json.at("driver"),
      json.at("api"),
      json.at("kind"),
      {copy.at("bytes"), copy.at("kernel_bytes_per_second"), copy.at("buffer_bytes_per_second")},
      {launch.value("host_seconds", 0.0), launch.value("device_seconds", 0.0), launch.value("latency_seconds", 0.0)},
      record};
}

Timing timing_from(const Json& seconds, const Json& runs, bool device_clock) {
  return {seconds.at("median"), seconds.at("min"), seconds.at("max"), runs, device_clock};
}

Result result_from(const Json& json) {
  Result result{
      json.at("primitive"), json.at("variant"), json.at("device"), json.at("type"), json.at("elements"), 0, 0, {}, {}};
  if (json.contains("skipped")) {
    result.skipped = json.at("skipped");
    return result;
  }
  result.bytes_moved = json.at("bytes_moved");
  result.sets = json.at("sets");
  result.timing = timing_from(json.at("seconds"), json.at("runs"), json.at("clock") == "device");
  const Json peer = json.value("peer", Json::object());
  if (peer.contains("seconds")) result.peer_timing = timing_from(peer.at("seconds"), peer.at("runs"), true);
  result.peer_form = peer.value("form", "");
  result.peer_skipped = peer.value("skipped", "");
  return result;
}

}  // namespace

double Report::share_of_copy(const Result& result) const {
  for (const DeviceReport& device : devices) {
    if (device.selector == result.device && device.copy.best() > 0)
      return result.bytes_per_second() / device.copy.best();
  }
  return 0;
}

std::string to_json(const Report& report) {
  Json devices = Json::array(), results = Json::array();
  for (const DeviceReport& device : report.devices) devices.push_back(to_json(device));
  for (const Result& result : report.results) results.push_back(to_json(report, result));
  const Json json = {{"weft", report.version}, {"date", report.date}, {"command", report.command},
                     {"note", report.note},    {"seed", report.seed}, {"distribution", report.distribution},
                     {"mesh", report.mesh},    {"peer", report.peer}, {"devices", devices},
                     {"results", results}};
  return json.dump(2) + "\n";
}

Report read_report(const std::string& file) {
  const std::vector<std::byte> bytes = support::read_bytes(file);
  const auto* text = reinterpret_cast<const char*>(bytes.data());
  try {
    const Json json = Json::parse(text, text + bytes.size());
    Report report{json.at("weft"), json.at("date"), json.at("command"), json.at("note"), json.at("seed"), {}, {}};
    report.distribution = json.value("distribution", report.distribution);
    report.mesh = json.value("mesh", "");
    report.peer = json.value("peer", "");
    for (const Json& device : json.at("devices")) report.devices.push_back(device_from(device));
    for (const Json& result : json.at("results")) report.results.push_back(result_from(result));
    return report;
  } catch (const Json::exception&) {
    throw Error(ErrorCode::invalid_argument, file + " holds no results of weft bench --json");
  }
}

}  // namespace weft::bench

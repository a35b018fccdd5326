#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/operator.h>
#include <weft/stream.h>
#include <CLI/CLI.hpp>

#include "support/array_file.h"
#include "support/output_file.h"
#include "support/reference.h"

namespace weft::tools {

// What the verbs of primitives share.

struct PrimitiveOptions {
  std::string input, output, type, device, operation = "sum";
  bool verify = false;

  std::optional<ScalarType> raw_type() const;
  /// Throws invalid_argument with the operations there are.
  Operation parsed_operation() const;
};

/// Adds IN, -o, --type, --device and --verify.
void add_primitive_options(CLI::App& verb, PrimitiveOptions& options);
void add_operation_option(CLI::App& verb, PrimitiveOptions& options);
void add_device_option(CLI::App& verb, std::string& selector);

Operator operator_of(Operation operation);

Array read_elements(const PrimitiveOptions& options);

/// "vulkan:0 (llvmpipe)"
std::string describe(const Device& device);

/// Runs what `record` records once, and returns the seconds it took by the device's clock, or by the host's where the
/// device has no timestamps.
double timed_run(Stream& stream, const std::function<void(Recorder&)>& record);
/// As timed_run(), `count` times on end; the time of each.
std::vector<double> timed_runs(Stream& stream, uint32_t count, const std::function<void(Recorder&)>& record);

/// Overwrites what a run has left in an output, so that a later run which writes nothing there shows.
void poison(Stream& stream, const Buffer<std::byte>& output);

/// "[1, 2, 3, ..., 99, 100]" on standard output.
void print_values(ScalarType type, std::span<const std::byte> values);

/// Writes the result to the file where there is one, or prints it.
void write_or_print(std::optional<OutputFile>& file, ScalarType type, std::span<const uint64_t> shape,
                    std::span<const std::byte> result);

/// One line on standard error, so that standard output holds nothing but the result.
void note(const std::string& line);

/// Throws with the reason when there is one; otherwise notes what was verified.
void require_verified(const std::optional<std::string>& wrong, const std::string& against);

}  // namespace weft::tools

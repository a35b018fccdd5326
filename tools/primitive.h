#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/operator.h>

#include "support/array_file.h"
#include "support/output_file.h"
#include "support/reference.h"
#include "support/timed_run.h"
#include "tools/command_line.h"

namespace weft::tools {

// Shared by the verbs of primitives.

struct PrimitiveOptions {
  std::string input, output, type, device, operation = "sum";
  uint32_t repeat = 1;
  double timeout_seconds = 60;
  bool verify = false;

  std::optional<support::ScalarType> raw_type() const;
  /// Opens the device of --device, with the time limit of --timeout.
  Device open_device() const;
  /// Parses --op. Throws invalid_argument, listing the operations.
  support::Operation parsed_operation() const;
};

/// Adds IN, -o, --type, --device, --repeat, --timeout and --verify.
void add_primitive_options(Verb& verb, PrimitiveOptions& options);
/// Adds an option that names a file of numbers to write; '-' is standard output.
Option add_array_option(Verb& verb, const char* name, std::string& file, const char* help);
/// Adds an option that names a file to write; '' and '-' are refused.
Option add_output_option(Verb& verb, const char* name, std::string& file, const char* help);
/// Returns the reason why '' is refused as the name of a file to write; nothing for other names.
std::string refuse_no_name(const std::string& file);
void add_operation_option(Verb& verb, PrimitiveOptions& options);
void add_device_option(Verb& verb, std::string& selector);

Operator operator_of(support::Operation operation);

/// Returns the path of a file to read. '-' is standard input, which a command may name only once.
std::string input_path(const std::string& name);
/// Reads the numbers of IN.
support::Array read_elements(const PrimitiveOptions& options);
/// Returns the type of sums of numbers of `type`. Without --type, sums of integers have 64 bits, as in NumPy.
support::ScalarType sum_type(const PrimitiveOptions& options, support::ScalarType type);
/// Converts the numbers to sum_type().
support::Array with_wide_sums(const PrimitiveOptions& options, const support::Array& input);
/// Throws unsupported if sums are wider than the numbers and the device lacks 64-bit integers.
void check_sum_type(const Device& device, support::ScalarType numbers, support::ScalarType sums);
/// Reads a file that accompanies IN. Raw numbers have the type of IN, or `raw_type`; a .npy file gives its own.
support::Array read_beside(const support::Array& input, const std::string& file);
support::Array read_beside(support::ScalarType raw_type, const std::string& file);

/// Opens the file of that name; none if the name is empty. '-' is standard output: .npy, or raw if --type is given, and
/// refused if it is a terminal. Throws as OutputFile does.
std::optional<support::ArrayFile> open_output(const PrimitiveOptions& options, const std::string& name);

/// Returns e.g. "vulkan:0 (llvmpipe)".
std::string describe(const Device& device);

/// Prints e.g. "[1, 2, 3, ..., 99, 100]" to standard output.
void print_values(support::ScalarType type, std::span<const std::byte> values);

/// Writes the result to the file if there is one, else prints it.
void write_or_print(std::optional<support::ArrayFile>& file, support::ScalarType type, std::span<const uint64_t> shape,
                    std::span<const std::byte> result);

/// Prints a line to standard error: standard output holds only the result.
void note(const std::string& line);

/// Throws invalid_argument.
[[noreturn]] void fail_invalid(const std::string& message);

/// Throws if `wrong` holds a reason; otherwise notes what the result was verified against.
void require_verified(const std::optional<std::string>& wrong, const std::string& against);

}  // namespace weft::tools

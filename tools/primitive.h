#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weft/device.h>
#include <weft/operator.h>

#include "command_line.h"
#include "support/array_file.h"
#include "support/output_file.h"
#include "support/reference.h"
#include "support/timed_run.h"

namespace weft::tools {

// What the verbs of primitives share.

struct PrimitiveOptions {
  std::string input, output, type, device, operation = "sum";
  uint32_t repeat = 1;
  double timeout_seconds = 60;
  bool verify = false;

  std::optional<ScalarType> raw_type() const;
  /// The device of --device, with the time limit of --timeout.
  Device open_device() const;
  /// Throws invalid_argument with the operations there are.
  Operation parsed_operation() const;
};

/// Adds IN, -o, --type, --device, --repeat, --timeout and --verify.
void add_primitive_options(Verb& verb, PrimitiveOptions& options);
/// An option that names a file for numbers, or with '-' standard output.
Option add_array_option(Verb& verb, const char* name, std::string& file, const char* help);
/// An option that names a file to write, which neither '' nor '-' does.
Option add_output_option(Verb& verb, const char* name, std::string& file, const char* help);
/// What is wrong with '' as the name of a file to write; nothing with others.
std::string refuse_no_name(const std::string& file);
void add_operation_option(Verb& verb, PrimitiveOptions& options);
void add_device_option(Verb& verb, std::string& selector);

Operator operator_of(Operation operation);

/// The path of a file to read: of '-' that of standard input, which only one of a command's files can be.
std::string input_path(const std::string& name);
/// The numbers of IN.
Array read_elements(const PrimitiveOptions& options);
/// Of what type sums are where nothing but --type could say so: for integers of 64 bits, as NumPy has it.
ScalarType sum_type(const PrimitiveOptions& options, ScalarType type);
/// The same numbers as those of sum_type().
Array with_wide_sums(const PrimitiveOptions& options, const Array& input);
/// Throws unsupported where sums are wider than the numbers and the device has no such integers.
void check_sum_type(const Device& device, ScalarType numbers, ScalarType sums);
/// Those of a file that goes with IN. Raw ones have the type of IN's, or that type; those of .npy one of their own.
Array read_beside(const Array& input, const std::string& file);
Array read_beside(ScalarType raw_type, const std::string& file);

/// The file of that name, none where it is empty. '-' is standard output: .npy, or raw where --type is given, and
/// refused where that is a terminal. Throws as OutputFile does.
std::optional<ArrayFile> open_output(const PrimitiveOptions& options, const std::string& name);

/// "vulkan:0 (llvmpipe)"
std::string describe(const Device& device);

/// "[1, 2, 3, ..., 99, 100]" on standard output.
void print_values(ScalarType type, std::span<const std::byte> values);

/// Writes the result to the file where there is one, or prints it.
void write_or_print(std::optional<ArrayFile>& file, ScalarType type, std::span<const uint64_t> shape,
                    std::span<const std::byte> result);

/// One line on standard error, so that standard output holds nothing but the result.
void note(const std::string& line);

/// Throws with the reason when there is one; otherwise notes what was verified.
void require_verified(const std::optional<std::string>& wrong, const std::string& against);

}  // namespace weft::tools

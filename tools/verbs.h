#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace weft::tools {

// Each adds one verb with its options and help; the verb runs as the callback of its subcommand and throws on failure.
void add_devices(CLI::App& app);
void add_reduce(CLI::App& app);
void add_scan(CLI::App& app);
void add_compact(CLI::App& app);
void add_merge(CLI::App& app);
void add_unique(CLI::App& app);
void add_rle(CLI::App& app);
void add_reduce_by_key(CLI::App& app);
void add_segmented_reduce(CLI::App& app);
void add_scan_by_key(CLI::App& app);
void add_segmented_scan(CLI::App& app);
void add_segmented_sort(CLI::App& app);
void add_partition(CLI::App& app);
void add_histogram(CLI::App& app);
void add_topk(CLI::App& app);
void add_sort(CLI::App& app);
void add_exec(CLI::App& app);
void add_compile(CLI::App& app);
/// `command` is the whole command line, kept with the results.
void add_bench(CLI::App& app, const std::string& command);
void add_tune(CLI::App& app);

}  // namespace weft::tools

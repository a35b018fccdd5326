#pragma once

#include <string>

#include "tools/command_line.h"

namespace weft::tools {

// Each adds one verb with its options and help.
void add_devices(CommandLine& command_line);
void add_reduce(CommandLine& command_line);
void add_scan(CommandLine& command_line);
void add_compact(CommandLine& command_line);
void add_merge(CommandLine& command_line);
void add_unique(CommandLine& command_line);
void add_rle(CommandLine& command_line);
void add_reduce_by_key(CommandLine& command_line);
void add_segmented_reduce(CommandLine& command_line);
void add_scan_by_key(CommandLine& command_line);
void add_segmented_scan(CommandLine& command_line);
void add_segmented_sort(CommandLine& command_line);
void add_partition(CommandLine& command_line);
void add_histogram(CommandLine& command_line);
void add_topk(CommandLine& command_line);
void add_count_keys(CommandLine& command_line);
void add_lookup(CommandLine& command_line);
void add_bvh(CommandLine& command_line);
void add_mipmaps(CommandLine& command_line);
void add_morton(CommandLine& command_line);
void add_sort(CommandLine& command_line);
void add_exec(CommandLine& command_line);
void add_compile(CommandLine& command_line);
void add_pack(CommandLine& command_line);
/// `command` is the whole command line, which is saved with the results.
void add_bench(CommandLine& command_line, const std::string& command);
void add_tune(CommandLine& command_line);

}  // namespace weft::tools

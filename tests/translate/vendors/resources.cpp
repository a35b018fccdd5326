#include "tests/translate/vendors/resources.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <set>
#include <sstream>
#include <system_error>
#include <tuple>

#include "tests/support/files.h"

namespace weft::test {
namespace {

constexpr const char* introduction = R"(# Registers and workgroup memory of the kernels

What NVIDIA's and AMD's compilers give each kernel of Weft's primitives, for each element type: registers of an
invocation (VGPRs on AMD), then bytes of workgroup memory. Operators and variants differ from type to type. A cell
also names a stack frame (scratch on AMD) and spills, if there are any. Lanes are the subgroup size compiled for.

The tests compare this page with what they compile, if they have the very compiler named here: one in 24 of the
kernels in a quick run, drawn by its seed, and all in the full run. A commit that changes a figure explains it. To
update the page, run

    WEFT_TEST_WRITE_KERNEL_TABLE=1 ctest --preset ci -R vendor_kernels --parallel 2

With -DWEFT_TEST_EVERY_ARCHITECTURE=ON the kernels are also compiled, and checked for spills and stacks, for sm_75,
sm_80, sm_100, sm_120, gfx900, gfx90a, gfx1030 and gfx1201, which this page leaves out.

)";
const std::string compilers_header = "architecture", kernels_header = "kernel";

// Returns the cells of a line of a table; none for other lines.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  if (!line.starts_with("| ")) return cells;
  for (size_t at = 2, end; (end = line.find(" |", at)) != std::string::npos; at = end + 3) {
    cells.push_back(line.substr(at, end - at));
  }
  return cells;
}

std::string line_of(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line + "\n";
}

std::string rule(size_t columns) {
  std::string line = "|";
  for (size_t k = 0; k < columns; ++k) line += "---|";
  return line + "\n";
}

}  // namespace

bool ResourceTable::InOrder::operator()(const std::string& a, const std::string& b) const {
  const auto order = [](const std::string& name) { return std::tuple(name.starts_with("gfx"), name.size(), name); };
  return order(a) < order(b);
}

ResourceTable::Kernel ResourceTable::key(const RequestedKernel& kernel) {
  const std::string& name = kernel.module.name;
  const size_t begin = name.rfind('/') + 1;
  return {name.substr(begin, name.rfind('.') - begin), kernel.purpose};
}

std::string ResourceTable::cell(const DeviceCode& code, const Translation& translation) {
  const uint64_t memory = code.workgroup_memory_bytes + translation.dynamic_workgroup_memory_bytes;
  std::string text = std::to_string(code.registers) + ", " + std::to_string(memory);
  if (code.stack_bytes != 0) text += ", stack " + std::to_string(code.stack_bytes);
  if (code.spills != 0) text += ", spills " + std::to_string(code.spills);
  return text;
}

ResourceTable ResourceTable::parse(const std::string& text) {
  ResourceTable table;
  std::vector<std::string> header;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> cells = cells_of(line);
    if (cells.empty()) {
      if (!line.starts_with("|-")) header.clear();
    } else if (header.empty()) {
      header = cells;
    } else if (header.front() == compilers_header && cells.size() == 3) {
      Column& column = table.columns_[cells[0]];
      column.lanes = uint32_t(std::stoul(cells[1]));
      column.compiler = cells[2];
    } else if (header.front() == kernels_header && cells.size() == header.size()) {
      for (size_t k = 2; k < cells.size(); ++k) {
        if (!cells[k].empty()) table.columns_[header[k]].cells[{cells[0], cells[1]}] = cells[k];
      }
    }
  }
  return table;
}

std::string ResourceTable::text() const {
  std::string text = introduction + line_of({compilers_header, "lanes", "compiler"}) + rule(3);
  std::vector<std::string> header{kernels_header, "of"};
  std::set<Kernel> kernels;
  for (const auto& [architecture, column] : columns_) {
    text += line_of({architecture, std::to_string(column.lanes), column.compiler});
    header.push_back(architecture);
    for (const auto& [kernel, cell] : column.cells) kernels.insert(kernel);
  }
  text += "\n" + line_of(header) + rule(header.size());
  for (const Kernel& kernel : kernels) {
    std::vector<std::string> cells{kernel.first, kernel.second};
    for (const auto& [architecture, column] : columns_) {
      const auto cell = column.cells.find(kernel);
      cells.push_back(cell == column.cells.end() ? "" : cell->second);
    }
    text += line_of(cells);
  }
  return text;
}

bool ResourceTable::is_of(const std::string& architecture, const std::string& compiler) const {
  const auto column = columns_.find(architecture);
  return column != columns_.end() && column->second.compiler == compiler;
}

std::vector<std::string> ResourceTable::differences(const std::string& architecture, const Column& measured,
                                                    const std::set<Kernel>& not_compiled) const {
  const auto column = columns_.find(architecture);
  std::map<Kernel, std::array<std::string, 2>> kernels;  // before and now
  if (column != columns_.end()) {
    for (const auto& [kernel, cell] : column->second.cells) kernels[kernel][0] = cell;
  }
  for (const auto& [kernel, cell] : measured.cells) kernels[kernel][1] = cell;
  std::vector<std::string> found;
  const auto in_words = [](const std::string& cell) { return cell.empty() ? "nothing" : cell; };
  for (const auto& [kernel, cells] : kernels) {
    const auto& [before, now] = cells;
    if (before == now || not_compiled.contains(kernel)) continue;
    found.push_back(kernel.first + " (" + kernel.second + ") for " + architecture + ": " + in_words(now) +
                    " in place of " + in_words(before));
  }
  return found;
}

void write_column(const std::filesystem::path& path, const std::string& architecture,
                  const ResourceTable::Column& column) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0644);
  if (file < 0 || flock(file, LOCK_EX) != 0) {
    throw std::system_error(errno, std::generic_category(), path.string());
  }
  const std::vector<std::byte> bytes = read_file(path);
  ResourceTable table = ResourceTable::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  table.set(architecture, column);
  const std::string text = table.text();
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  write_file(path, {begin, begin + text.size()});
  close(file);  // also releases the lock
}

}  // namespace weft::test

#include "tests/translate/mutate.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <spirv-tools/libspirv.hpp>
#include <spirv/unified1/spirv.hpp>

namespace weft::test {
namespace {

constexpr size_t header = 5;
using Words = std::vector<uint32_t>;
using Random = std::mt19937_64;

size_t any(Random& random, size_t count) { return count == 0 ? 0 : random() % count; }

uint32_t striking(Random& random) {
  static const uint32_t values[] = {
      0,          1,          2,          3,          4,          7,          8,          15,         16,
      31,         32,         33,         63,         64,         127,        128,        255,        256,
      1000,       1023,       1024,       4096,       65535,      65536,      1u << 20,   1u << 24,   1u << 28,
      0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x3f800000, 0x7f800000, 0x7fc00000};
  return any(random, 4) == 0 ? static_cast<uint32_t>(random()) : values[any(random, std::size(values))];
}

struct Operand {
  size_t at = 0;
  bool is_id = false;
};

struct Line {
  size_t begin = 0, end = 0;
  spv::Op op = spv::OpNop;
  uint32_t type = 0, result = 0;
  std::vector<Operand> operands;  // without type and result
};

// The instructions of a module, as far as it parses.
struct Listing {
  explicit Listing(const Words& words) {
    size_t at = header;
    const auto read = [&](const spv_parsed_instruction_t& parsed) {
      Line line{at, at + parsed.num_words, static_cast<spv::Op>(parsed.opcode), parsed.type_id, parsed.result_id, {}};
      for (uint16_t k = 0; k < parsed.num_operands; ++k) {
        const spv_parsed_operand_t& operand = parsed.operands[k];
        if (operand.type == SPV_OPERAND_TYPE_TYPE_ID || operand.type == SPV_OPERAND_TYPE_RESULT_ID) continue;
        if (operand.type == SPV_OPERAND_TYPE_LITERAL_STRING) continue;
        const bool is_id = operand.type == SPV_OPERAND_TYPE_ID || operand.type == SPV_OPERAND_TYPE_SCOPE_ID ||
                           operand.type == SPV_OPERAND_TYPE_MEMORY_SEMANTICS_ID;
        line.operands.push_back({at + operand.offset, is_id});
      }
      if (line.result != 0) {
        // Interchangeable ids: values of one type, labels, functions of one type, types.
        const uint64_t kind = line.op == spv::OpFunction ? uint64_t{words[line.begin + 4]} << 32 | line.op
                              : line.type != 0           ? line.type
                                                         : uint64_t{line.op} << 32;
        kind_of[line.result] = kind;
        of_kind[kind].push_back(line.result);
      }
      at = line.end;
      lines.push_back(std::move(line));
    };
    using Read = decltype(read);
    const auto pass_on = [](void* user, const spv_parsed_instruction_t* instruction) {
      (*static_cast<Read*>(user))(*instruction);
      return SPV_SUCCESS;
    };
    const spvtools::Context context(SPV_ENV_VULKAN_1_3);
    spvBinaryParse(context.CContext(), const_cast<void*>(static_cast<const void*>(&read)), words.data(), words.size(),
                   nullptr, pass_on, nullptr);
  }

  std::vector<Line> lines;
  std::map<uint32_t, uint64_t> kind_of;
  std::map<uint64_t, std::vector<uint32_t>> of_kind;
};

template <typename Wanted>
const Line* any_line(const Listing& listing, Random& random, const Wanted& wanted) {
  std::vector<const Line*> lines;
  for (const Line& line : listing.lines) {
    if (wanted(line)) lines.push_back(&line);
  }
  return lines.empty() ? nullptr : lines[any(random, lines.size())];
}

bool holds_literal(const Line& line) {
  return std::ranges::any_of(line.operands, [](const Operand& operand) { return !operand.is_id; });
}

// Changes a number in an instruction that is `wanted`.
template <typename Wanted>
void change_literal(Words& words, const Listing& listing, Random& random, const Wanted& wanted) {
  const Line* line = any_line(listing, random, [&](const Line& l) { return wanted(l) && holds_literal(l); });
  if (!line) return;
  std::vector<size_t> numbers;
  for (const Operand& operand : line->operands) {
    if (!operand.is_id) numbers.push_back(operand.at);
  }
  // The last word is most often the number itself: an offset, a size, a value.
  const size_t at = any(random, 3) ? numbers.back() : numbers[any(random, numbers.size())];
  words[at] = any(random, 2) ? striking(random) : words[at] + static_cast<uint32_t>(any(random, 9)) - 4;
}

void change_id(Words& words, const Listing& listing, Random& random) {
  const auto has_id = [](const Line& line) {
    return line.op != spv::OpName && line.op != spv::OpMemberName &&
           std::ranges::any_of(line.operands, [](const Operand& operand) { return operand.is_id; });
  };
  const Line* line = any_line(listing, random, has_id);
  if (!line) return;
  std::vector<size_t> ids;
  for (const Operand& operand : line->operands) {
    if (operand.is_id) ids.push_back(operand.at);
  }
  uint32_t& id = words[ids[any(random, ids.size())]];
  const auto kind = listing.kind_of.find(id);
  if (kind == listing.kind_of.end()) return;
  const auto& others = listing.of_kind.at(kind->second);
  if (others.size() < 2) return;
  for (const uint32_t before = id; id == before;) id = others[any(random, others.size())];
}

// Replaces an instruction by another with the same operand and result types.
void change_opcode(Words& words, const Listing& listing, Random& random) {
  const Line* line = any_line(listing, random, [](const Line& l) { return l.type != 0 && l.result != 0; });
  if (!line) return;
  const auto near = static_cast<int64_t>(any(random, 13)) - 6;
  const auto op = static_cast<uint32_t>(std::clamp<int64_t>(int64_t{line->op} + near, 0, 0xffff));
  words[line->begin] = (words[line->begin] & 0xffff0000u) | op;
}

void change_instructions(Words& words, const Listing& listing, Random& random) {
  const auto line_at = [&] { return listing.lines[any(random, listing.lines.size())]; };
  if (listing.lines.empty()) return;
  const Line a = line_at(), b = line_at();
  const auto text = [&](const Line& line) { return Words(words.begin() + line.begin, words.begin() + line.end); };
  const Words first = text(a), second = text(b);
  switch (any(random, 4)) {
    case 0:
      words.erase(words.begin() + a.begin, words.begin() + a.end);
      break;
    case 1:
      words.insert(words.begin() + a.end, first.begin(), first.end());
      break;
    case 2:
      words.insert(words.begin() + b.begin, first.begin(), first.end());
      break;
    default: {
      const Line &front = a.begin < b.begin ? a : b, &back = a.begin < b.begin ? b : a;
      if (front.begin == back.begin) return;
      const Words front_text = text(front), back_text = text(back);
      words.erase(words.begin() + back.begin, words.begin() + back.end);
      words.insert(words.begin() + back.begin, front_text.begin(), front_text.end());
      words.erase(words.begin() + front.begin, words.begin() + front.end);
      words.insert(words.begin() + front.begin, back_text.begin(), back_text.end());
    }
  }
}

void change_bits(Words& words, Random& random) {
  if (words.empty()) return;
  const size_t at = any(random, words.size());
  switch (any(random, 4)) {
    case 0:
      words[at] ^= 1u << any(random, 32);
      break;
    case 1:
      words[at] = striking(random);
      break;
    case 2:
      words.resize(at);
      break;
    default:
      std::swap(words[at], words[any(random, words.size())]);
  }
}

void change(Words& words, Random& random) {
  const Listing listing(words);
  const auto constants = [](const Line& l) { return l.op == spv::OpConstant || l.op == spv::OpSpecConstant; };
  const auto decorations = [](const Line& l) { return l.op == spv::OpDecorate || l.op == spv::OpMemberDecorate; };
  const auto modes = [](const Line& l) { return l.op == spv::OpExecutionMode; };
  const auto anything = [](const Line&) { return true; };
  const size_t kind = any(random, 20);
  if (kind < 4)
    change_literal(words, listing, random, constants);
  else if (kind < 7)
    change_literal(words, listing, random, decorations);
  else if (kind < 8)
    change_literal(words, listing, random, modes);
  else if (kind < 10)
    change_literal(words, listing, random, anything);
  else if (kind < 15)
    change_id(words, listing, random);
  else if (kind < 17)
    change_opcode(words, listing, random);
  else if (kind < 19)
    change_instructions(words, listing, random);
  else
    change_bits(words, random);
}

}  // namespace

Words mutated(Words words, Random& random) {
  for (size_t changes = 1 + any(random, 3); changes > 0; --changes) change(words, random);
  return words;
}

}  // namespace weft::test

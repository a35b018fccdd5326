#include "core/src/spirv/contraction.h"

#include <cstddef>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_set>

namespace weft::core {
namespace {

constexpr size_t header_words = 5;

bool is_float_arithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpFRem:
    case spv::Op::OpFMod:
    case spv::Op::OpVectorTimesScalar:
    case spv::Op::OpMatrixTimesScalar:
    case spv::Op::OpVectorTimesMatrix:
    case spv::Op::OpMatrixTimesVector:
    case spv::Op::OpMatrixTimesMatrix:
    case spv::Op::OpOuterProduct:
    case spv::Op::OpDot:
      return true;
    default:
      return false;
  }
}

// Whether `op` belongs before a module's types, constants and functions. Annotations come last of these.
bool comes_before_types(spv::Op op) {
  switch (op) {
    case spv::Op::OpCapability:
    case spv::Op::OpExtension:
    case spv::Op::OpExtInstImport:
    case spv::Op::OpMemoryModel:
    case spv::Op::OpEntryPoint:
    case spv::Op::OpExecutionMode:
    case spv::Op::OpExecutionModeId:
    case spv::Op::OpString:
    case spv::Op::OpSourceExtension:
    case spv::Op::OpSource:
    case spv::Op::OpSourceContinued:
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpModuleProcessed:
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpDecorationGroup:
    case spv::Op::OpGroupDecorate:
    case spv::Op::OpGroupMemberDecorate:
    case spv::Op::OpDecorateId:
    case spv::Op::OpDecorateString:
    case spv::Op::OpMemberDecorateString:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<uint32_t> without_contraction(const std::vector<uint32_t>& words) {
  std::unordered_set<uint32_t> decorated;
  std::vector<uint32_t> added;
  size_t types = 0;  // index of the first word
  for (size_t at = header_words, length = 0; at < words.size(); at += length) {
    const auto op = spv::Op(words[at] & 0xffff);
    length = words[at] >> 16;
    if (op == spv::Op::OpDecorate && words[at + 2] == uint32_t(spv::Decoration::NoContraction)) {
      decorated.insert(words[at + 1]);
    } else if (op == spv::Op::OpGroupDecorate && decorated.contains(words[at + 1])) {
      decorated.insert(words.begin() + std::ptrdiff_t(at + 2), words.begin() + std::ptrdiff_t(at + length));
    } else if (is_float_arithmetic(op) && !decorated.contains(words[at + 2])) {
      added.insert(added.end(),
                   {3u << 16 | uint32_t(spv::Op::OpDecorate), words[at + 2], uint32_t(spv::Decoration::NoContraction)});
    }
    if (types == 0 && !comes_before_types(op)) types = at;
  }
  std::vector<uint32_t> result = words;
  result.insert(result.begin() + std::ptrdiff_t(types), added.begin(), added.end());
  return result;
}

}  // namespace weft::core

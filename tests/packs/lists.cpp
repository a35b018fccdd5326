#include <algorithm>
#include <fstream>
#include <mutex>
#include <set>

#include <weft/plan_recorder.h>
#include <weft/sort.h>

#include "algorithms/src/base/argument_rules.h"
#include "algorithms/src/plans/all_plans.h"
#include "tests/algorithms/all_plans/overlap_cases.h"
#include "tests/packs/recorded.h"
#include "tests/support/files.h"
#include "tests/support/test.h"
#include "tools/pack/plan_list.h"

using namespace weft;
using namespace weft::test;
using weft::tools::ListedPlan;
using weft::tools::PlanList;

TEST_CASE("every plan with arguments can be listed") {
  std::set<std::string> with_arguments, listed;
  for (const algorithms::PlanRules& rules : algorithms::all_plan_rules()) with_arguments.emplace(rules.plan);
  for (const std::string& name : algorithms::plan_names()) listed.insert(name);
  CHECK_EQ(listed, with_arguments);
}

DEVICE_TEST("plans record lines that give the same plans") {
  const auto recorder = std::make_shared<Recorded>();
  const Device recording = open_device(device.info().selector, with_recorder(device.options(), recorder));
  overlap_cases(recording);
  std::set<std::string> names;
  for (const std::string& line : recorder->lines) {
    INFO(line);
    names.insert(line.substr(0, line.find(' ')));
    CHECK_EQ(ListedPlan::parse(line)->line(), line);
  }
  CHECK_GT(names.size(), 30);
  CHECK(recorder->kernels == 0);
}

TEST_CASE("values of fields may have blanks, quotes and lines") {
  const std::string line =
      R"(Compact element="struct{vec3 at; uint16_t \n kind;}" selection.where="x.kind == 1 /* \"\\\" */" max_count=5)";
  CHECK_EQ(ListedPlan::parse(R"(Map element=float expression="T(i) + \"\\\n" max_count=5)")->line(),
           R"(Map element=float expression="T(i) + \"\\\n" max_count=5)");
  check_invalid({"Compact", "element"}, [&] { ListedPlan::parse(line); });
}

TEST_CASE("a line that is wrong says what would be right") {
  check_invalid({"'Sorts' is no plan", "Sort", "TreeReduce"}, [] { ListedPlan::parse("Sorts key=uint"); });
  check_invalid({"Sort", "no 'keys'", "key, value (optional), max_count", "path, tuning (optional)"},
                [] { ListedPlan::parse("Sort keys=uint max_count=5"); });
  check_invalid({"no 'op.identy'", "op, op.name, op.combine, op.identity"},
                [] { ListedPlan::parse("Scan element=float op.combine=\"a * b\" op.identy=1"); });
  check_invalid({"max_count", "'many'", "whole number"}, [] { ListedPlan::parse("Sort key=uint max_count=many"); });
  check_invalid({"begin_bit", "too large"}, [] { ListedPlan::parse("Sort key=uint begin_bit=4294967296"); });
  check_invalid({"path", "'fast'", "look_back"}, [] { ListedPlan::parse("Sort key=uint path=fast"); });
  check_invalid({"descending", "'yes'", "true, false"}, [] { ListedPlan::parse("Sort key=uint descending=yes"); });
  check_invalid({"key", "float33"}, [] { ListedPlan::parse("Sort key=float33"); });
  check_invalid({"closing quote"}, [] { ListedPlan::parse("Map element=float expression=\"T(i)"); });
  check_invalid({"'uint'", "name=value"}, [] { ListedPlan::parse("Sort uint"); });
}

TEST_CASE("a list names the line that is wrong, and a kernel its module") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "list";
  folder.write("list", "# plans\n\nSort key=uint max_count=5\nSort key=none\n");
  check_invalid({"list:4", "none"}, [&] { PlanList::read(file); });
  folder.write("list", "kernel entry=main\n");
  check_invalid({"list:1", "file=NAME.spv"}, [&] { PlanList::read(file); });
  folder.write("list", "kernel file=none.spv\n");
  check_error(ErrorCode::io_failed, {"list:1", "none.spv"}, [&] { PlanList::read(file); });
  folder.write("list", "# nothing\n");
  check_invalid({"no plan"}, [&] { PlanList::read(file); });
}

DEVICE_TEST("a recorder's file is a list, which later processes add to") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "list";
  const Spirv module = compile_glsl("#version 450\nlayout(local_size_x_id = 3) in;\nvoid main() {}\n");
  for (int process = 0; process < 2; ++process) {
    const Device recording =
        open_device(device.info().selector, with_recorder(device.options(), PlanRecorder::to_file(file)));
    for (int again = 0; again < 2; ++again) {
      const Sort plan(recording, Element::of<float>(), 1000);
      static_cast<void>(recording.kernel(module, KernelOptions().specialize(3, 8u)));
    }
  }
  const PlanList list = PlanList::read(file);
  REQUIRE_EQ(list.plans.size(), 1);
  CHECK_EQ(list.plans[0]->line(), "Sort key=float max_count=1000");
  REQUIRE_EQ(list.kernels.size(), 1);
  CHECK_EQ(list.kernels[0].module.words, module.words);
  REQUIRE_EQ(list.kernels[0].options.specialization.size(), 1);
  CHECK_EQ(list.kernels[0].options.specialization[0].bits, 8);
}

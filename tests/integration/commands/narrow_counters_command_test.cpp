// Messages of `weft check` and `weft run` about Deficit Tables with counters of limited width.

#include <nlohmann/json.hpp>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kNarrowNet =
    "fabric: packet\ntopology: { kind: tree, arity: 2, levels: 2 }\n"
    "qos:\n  levels: { control: { message: 192B }, bulk: { message: 2048B } }\n  scheduler: dtable\n"
    "  dtable:\n    table: [ { sl: control, weight: 60 }, { sl: bulk, weight: 63 }, { sl: bulk, weight: 63 } ]\n"
    "    counter_bits: 6\n"
    "traffic: [ { level: control, load: 0.1 } ]\nrun: { warm_up: 1us, measure: 2us, drain: 2us }\n";

// bulk: 32 credits, two weights of 63. 63 leave 31 after one message, and 63 on top of 31 are 94, beyond 63.
// control: 3 credits divide 60, so nothing is ever left.
TEST(NarrowCountersProgram, WarnsAtTheWidthThatCanSaturate) {
  const ScratchFolder folder;
  folder.write("net.yaml", kNarrowNet);
  const ProgramOptions here{folder.path()};
  const std::string warning =
      "net.yaml:8:19: warning: qos.dtable.counter_bits: counters of 6 bits hold 63 credits, a weight and a deficit of "
      "'bulk' can reach 94; what is above is lost, and the shares of the link are not those of the table. "
      "counter_bits: 7 never saturates\n";
  const ProgramResult check = weft({"check", "net.yaml"}, here);
  EXPECT_EQ(check.status, 0);
  EXPECT_EQ(check.err, warning);
  EXPECT_THAT(check.out,
              AllOf(HasSubstr("can saturate                 bulk\n"), HasSubstr("fits ib tables               yes\n")));
  EXPECT_EQ(weft({"run", "net.yaml", "--json"}, here).err, warning);
  EXPECT_THAT(weft({"check", "net.yaml", "--set", "qos.dtable.counter_bits=7"}, here).err, IsEmpty());
  EXPECT_THAT(weft({"check", "net.yaml", "--set", "qos.dtable.counter_bits=0"}, here).err, IsEmpty());
}

TEST(NarrowCountersProgram, SaysWhyInfiniBandsTablesDoNotHoldThem) {
  const ScratchFolder folder;
  std::string table = "qos.dtable.table=[";
  for (int i = 0; i < 100; ++i) table += "{ sl: control, weight: 3 }, { sl: bulk, weight: 32 },";
  table.back() = ']';
  folder.write("net.yaml", kNarrowNet);
  const ProgramResult r = weft({"check", "net.yaml", "--json", "--set", table}, {folder.path()});
  ASSERT_EQ(r.status, 0) << r.err;
  EXPECT_EQ(nlohmann::json::parse(r.out)["figures"]["counters"]["fits_ib_tables"]["value"],
            "no: a table of 200 entries; the high-priority table has 64");
}

}  // namespace
}  // namespace weft::test

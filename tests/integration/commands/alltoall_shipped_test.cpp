// Schedules in configs/tdm/schedules are valid and as short as docs/alltoall_search.md says.

#include <fmt/format.h>

#include "support/places.h"
#include "support/program.h"

namespace weft::test {
namespace {

TEST(AllToAllShipped, SchedulesAreAsShortAsTheDocumentationSays) {
  struct Shipped {
    int n;
    int slots;
  };
  for (const Shipped& s : {Shipped{9, 182}, Shipped{10, 250}}) {
    const std::string file = fmt::format("{}/configs/tdm/schedules/mesh_{}x{}.csv", source_dir(), s.n, s.n);
    const ProgramResult r = weft({"alltoall", "verify", file, "--n", std::to_string(s.n)});
    EXPECT_EQ(r.status, 0) << r.err;
    const int nodes = s.n * s.n;
    EXPECT_THAT(r.out, ::testing::HasSubstr(fmt::format("{} connections in {} slots", nodes * (nodes - 1), s.slots)));
  }
}

}  // namespace
}  // namespace weft::test

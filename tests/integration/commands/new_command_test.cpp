// `weft new`: every kind is a configuration that checks and runs.

#include <filesystem>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class NewConfig : public ::testing::TestWithParam<const char*> {};

TEST_P(NewConfig, ChecksAndRunsWithoutAWarning) {
  const ScratchFolder scratch;
  const auto call = [&](std::vector<std::string> arguments) {
    return weft(std::move(arguments), {scratch.path(), 0, {}});
  };
  const std::string kind = GetParam();
  const ProgramResult made = call({"new", kind, "--out", "design.yaml"});
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_THAT(made.out, HasSubstr("next: weft check design.yaml"));
  const ProgramResult printed = call({"new", kind});
  EXPECT_EQ(printed.out, slurp(scratch.path("design.yaml")));
  EXPECT_TRUE(printed.out.starts_with("# ")) << "a template says what it is";
  const ProgramResult checked = call({"check", "design.yaml"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.err, IsEmpty());
  const ProgramResult ran =
      kind == "sweep" ? call({"sweep", "design.yaml", "--set", "seeds=1"}) : call({"run", "design.yaml"});
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_TRUE(fs::exists(scratch.path("out/design/report.json")));
}

INSTANTIATE_TEST_SUITE_P(Of, NewConfig,
                         ::testing::Values("mesh", "torus", "tree", "dragonfly", "fic", "optweb", "sweep", "program"),
                         [](const auto& of) { return std::string(of.param); });

TEST(NewConfigs, KeepWhatIsThere) {
  const ScratchFolder scratch;
  const auto call = [&](std::vector<std::string> arguments) {
    return weft(std::move(arguments), {scratch.path(), 0, {}});
  };
  scratch.write("design.yaml", "mine");
  const ProgramResult refused = call({"new", "mesh", "--out", "design.yaml"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("design.yaml: error: exists; give another name, or replace it with --force"));
  EXPECT_EQ(slurp(scratch.path("design.yaml")), "mine");
  EXPECT_EQ(call({"new", "mesh", "--out", "design.yaml", "--force"}).status, 0);
  EXPECT_THAT(slurp(scratch.path("design.yaml")), HasSubstr("fabric: packet"));
  EXPECT_EQ(call({"new", "mesh", "--out", "a/b/design.yaml"}).status, 0) << "folders are made";
  EXPECT_THAT(slurp(scratch.path("a/b/design.yaml")), HasSubstr("fabric: packet"));
  // The network that a sweep names is written beside it, unless there is one.
  scratch.write("mesh.yaml", "mine");
  EXPECT_EQ(call({"new", "sweep", "--out", "sweep.yaml"}).status, 0);
  EXPECT_EQ(slurp(scratch.path("mesh.yaml")), "mine");
  const ProgramResult same = call({"new", "sweep", "--out", "a/mesh.yaml"});
  EXPECT_EQ(same.status, 2);
  EXPECT_THAT(same.err,
              HasSubstr("a/mesh.yaml: error: is the name of the configuration that this sweep needs beside it"));
  EXPECT_THAT(call({"new", "mesh", "--out", "a", "--force"}).err, HasSubstr("a: error: is a folder"));
}

TEST(NewConfigs, UnknownKindsAreToldWhatThereIs) {
  const ProgramResult r = weft({"new", "mehs"});
  EXPECT_EQ(r.status, 2);
  EXPECT_THAT(r.err,
              AllOf(HasSubstr("unknown kind 'mehs' (expected one of: mesh, torus"), HasSubstr("did you mean 'mesh'?")));
  EXPECT_EQ(weft({"new"}).status, 2);
}

}  // namespace
}  // namespace weft::test

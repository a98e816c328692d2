// The program and the shared object with Weft's RTL blocks: models run without it; one that does not fit is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "cosim/common/headers_hash.h"
#include "support/places.h"
#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using testing::HasSubstr;

// The program in a folder of its own, with whatever a test puts beside it.
class CompiledRtl : public testing::Test {
 protected:
  CompiledRtl() {
    std::error_code failed;
    std::filesystem::create_hard_link(weft_program(), folder_.path("weft"), failed);
    if (failed) std::filesystem::copy_file(weft_program(), folder_.path("weft"));
  }

  static std::string built() { return std::filesystem::path(weft_program()).parent_path() / "libweft_rtl.so"; }
  ProgramResult run(const std::string& implementation) const {
    return run_program({folder_.path("weft"), "run", source_dir() + "/configs/tdm/mesh_4x4.yaml", "--set",
                        "switch.data_path.implementation=" + implementation, "--set", "run.measure=1us", "--no-files",
                        "--json"});
  }
  void expect_refusal(const std::string& why) const {
    const ProgramResult result = run("lockstep");
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("libweft_rtl.so: error: "));
    EXPECT_THAT(result.err, HasSubstr(why));
  }

  const ScratchFolder folder_;
};

TEST_F(CompiledRtl, ModelsNeedNone) {
  const ProgramResult models = run("model");
  EXPECT_EQ(models.status, 0) << models.err;
  expect_refusal("Weft's RTL blocks are not built");
  std::filesystem::copy_file(built(), folder_.path("libweft_rtl.so"));
  EXPECT_EQ(run("lockstep").status, 0);
}

TEST_F(CompiledRtl, OneOfOtherHeadersIsRefused) {
  std::string content = slurp(built());
  char number[sizeof kHeaders];
  std::copy_n(reinterpret_cast<const char*>(&kHeaders), sizeof number, number);
  const auto at = std::search(content.begin(), content.end(), std::begin(number), std::end(number));
  ASSERT_NE(at, content.end());
  *at = static_cast<char>(*at ^ 1);
  folder_.write("libweft_rtl.so", content);
  expect_refusal("it was built against other headers of weft");
}

TEST_F(CompiledRtl, AnotherFileIsRefused) {
  folder_.write("libweft_rtl.so", "nothing");
  expect_refusal("cannot be loaded");
}

// The loader would map what is not there.
TEST_F(CompiledRtl, OneThatIsCutShortIsRefused) {
  const std::string content = slurp(built());
  const std::string beginning = content.substr(0, content.size() / 3);
  folder_.write("libweft_rtl.so", beginning);
  expect_refusal("the file is cut short: it has " + std::to_string(beginning.size()) + " bytes, its headers name ");
  const std::string plugin = folder_.write("plugin.so", content.substr(0, 60'000));
  const ProgramResult result =
      run_program({folder_.path("weft"), "check", source_dir() + "/configs/tdm/mesh_4x4.yaml", "--plugin", plugin});
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_THAT(result.err, HasSubstr("plug-in " + plugin + ": the file is cut short: it has 60000 bytes"));
}

}  // namespace
}  // namespace weft::test

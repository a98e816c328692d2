// Manifest, lock and half-written files of a folder of results. The commands are tested in
// integration/commands/command_outputs_test.cpp.

#include "base/output_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "base/output_manifest.h"
#include "support/scratch.h"

namespace weft {
namespace {

using test::ScratchFolder;
using test::slurp;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(OutputManifest, NamesSurviveTheJournal) {
  EXPECT_TRUE(rc::check([](const std::string& raw, std::int64_t size, std::int64_t seconds, std::uint32_t fraction) {
    std::string name;
    for (const char c : raw) {
      if (c != '/' && c != '\0') name += c;
    }
    RC_PRE(!name.empty() && name != "." && name != ".." && name != kManifestName);
    const FileStamp stamp{size, seconds, fraction % 1'000'000'000};
    const std::string text = OutputManifest::header() + OutputManifest::part_line(name) +
                             OutputManifest::file_line(name, stamp) + OutputManifest::kept_line("x y");
    RC_ASSERT(std::count(text.begin(), text.end(), '\n') == 4);
    const auto manifest = OutputManifest::parse(text);
    RC_ASSERT(manifest.has_value());
    RC_ASSERT(manifest->find(name) != nullptr);
    RC_ASSERT(manifest->find(name)->part);
    RC_ASSERT(manifest->find(name)->stamp == stamp);
    RC_ASSERT(manifest->find("x y")->kept);
  }));
}

TEST(OutputManifest, OnlyPlainNamesAndWholeLinesCount) {
  const std::string header = OutputManifest::header();
  for (const char* line :
       {"part ../x\n", "part a/b\n", "part %2fetc\n", "part .\n", "part \n", "part %00\n", "part %0\n",
        "file x 1.000000000 a\n", "file 1 1 a\n", "file 1 1.1\n", "drop a\n", "\n", "kept .weft-manifest\n"}) {
    EXPECT_FALSE(OutputManifest::parse(header + line).has_value()) << line;
  }
  EXPECT_FALSE(OutputManifest::parse("some text\n").has_value());
  const auto cut = OutputManifest::parse(header + "part a\nfile 12 1.0000");
  ASSERT_TRUE(cut.has_value());
  EXPECT_TRUE(cut->find("a")->part);
  EXPECT_FALSE(cut->find("a")->stamp.has_value());
  EXPECT_TRUE(OutputManifest::parse("weft man").has_value()) << "killed when it was begun";
}

TEST(OutputFolder, OneAtATime) {
  const ScratchFolder scratch;
  const std::string path = scratch.path("out");
  {
    const OutputFolder first(path, {});
    EXPECT_THAT(refusal([&] { const OutputFolder second(path, {}); }), HasSubstr("is in use by another weft command"));
  }
  EXPECT_EQ(refusal([&] { const OutputFolder second(path, {}); }), "");
}

TEST(OutputFolder, ClearsWhatItWroteAndNothingElse) {
  const ScratchFolder scratch;
  OutputFolderOptions options;
  options.kept = {"store"};
  {
    OutputFolder folder(scratch.path("out"), options);
    write_file(scratch.path("out/a"), "1");
    write_file(scratch.path("out/a"), "2");
    write_file(scratch.path("out/same"), "1");
    scratch.write("out/store", "all");
    OutputFile open(scratch.path("out/b"));
    open.leave();
  }
  scratch.write("out/mine", "1");
  EXPECT_TRUE(fs::exists(scratch.path("out/b.part")));
  OutputFolder folder(scratch.path("out"), options);
  folder.clear();
  EXPECT_EQ(slurp(scratch.path("out/mine")), "1");
  EXPECT_EQ(slurp(scratch.path("out/store")), "all");
  for (const char* name : {"a", "same", "b", "b.part"}) EXPECT_FALSE(fs::exists(scratch.path("out/") + name)) << name;
  EXPECT_EQ(slurp(scratch.path("out/.weft-manifest")), "weft manifest 1\nkept store\n");
}

// Of a rank that does not hold the folder, which was killed.
TEST(OutputFolder, ClearsWhatAnotherProcessWasToWrite) {
  const ScratchFolder scratch;
  {
    const OutputFolder folder(scratch.path("out"), {});
    OutputFile::announce(scratch.path("out/w.fst.rank1"));
    OutputFile::announce(scratch.path("elsewhere"));
    scratch.write("out/w.fst.rank1.part", "1");
    scratch.write("out/w.fst.rank1.part.hier", "1");
    scratch.write("out/w.fst.rank2.part", "mine");
  }
  OutputFolder folder(scratch.path("out"), {});
  folder.clear();
  EXPECT_FALSE(fs::exists(scratch.path("out/w.fst.rank1.part")));
  EXPECT_FALSE(fs::exists(scratch.path("out/w.fst.rank1.part.hier")));
  EXPECT_EQ(slurp(scratch.path("out/w.fst.rank2.part")), "mine");
  EXPECT_FALSE(fs::exists(scratch.path("elsewhere.part")));
}

// A change within the same size shows in the time.
TEST(OutputFolder, AChangedFileIsNoLongerOurs) {
  const ScratchFolder scratch;
  const std::string path = scratch.path("out");
  {
    const OutputFolder folder(path, {});
    write_file(scratch.path("out/a"), "1");
  }
  fs::last_write_time(scratch.path("out/a"), fs::last_write_time(scratch.path("out/a")) + std::chrono::nanoseconds(1));
  EXPECT_THAT(refusal([&] { const OutputFolder folder(path, {}); }),
              HasSubstr("changed or replaced since Weft wrote them (a)"));
  OutputFolderOptions overwrite;
  overwrite.overwrite = true;
  OutputFolder folder(path, overwrite);
  folder.clear();
  EXPECT_EQ(slurp(scratch.path("out/a")), "1");
}

TEST(OutputFile, OutsideOfAFolderAHalfWrittenOneIsNotTaken) {
  const ScratchFolder scratch;
  scratch.write("a.part", "somebody's");
  scratch.write("a", "old");
  EXPECT_THAT(refusal([&] { write_file(scratch.path("a"), "new"); }),
              HasSubstr("a.part: error: exists: another command"));
  EXPECT_EQ(slurp(scratch.path("a")), "old");
  EXPECT_EQ(slurp(scratch.path("a.part")), "somebody's");
  { const OutputFile dropped(scratch.path("b")); }
  EXPECT_FALSE(fs::exists(scratch.path("b.part")));
}

}  // namespace
}  // namespace weft

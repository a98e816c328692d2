// Reading of input files: files, pipes, devices, limits and errors.

#include "base/input_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

// Restores the limit.
struct Limit {
  explicit Limit(std::uint64_t bytes) { set_largest_input(bytes); }
  ~Limit() { set_largest_input(kLargestInput); }
};

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

// Feeds a pipe that has a name.
class Feeder {
 public:
  Feeder(std::string path, std::string text) : path_(std::move(path)) {
    if (::mkfifo(path_.c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
    thread_ = std::thread([this, text = std::move(text)] { std::ofstream(path_) << text; });
  }
  ~Feeder() { thread_.join(); }

 private:
  std::string path_;
  std::thread thread_;
};

TEST(InputFile, PipesAreReadAsOftenAsFiles) {
  const ScratchFolder folder;
  const std::string text = std::string(300'000, 'x') + "\nend";  // more than a pipe holds at a time
  const Feeder feeder(folder.path("pipe"), text);
  EXPECT_EQ(read_file(folder.path("pipe")), text);
  EXPECT_EQ(read_file(folder.path("pipe")), text);
  LineFile lines(folder.path("pipe"));
  std::string_view line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line.size(), 300'000U);
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(line, "end");
  EXPECT_FALSE(lines.next(line));
}

TEST(InputFile, ReadErrorsAreNoEnd) {
  EXPECT_THAT(error_of([] { read_file("/proc/self/mem"); }),
              HasSubstr("/proc/self/mem: error: cannot be read to its end: Input/output error after 0 bytes"));
  EXPECT_THAT(error_of([] {
                LineFile lines("/proc/self/mem");
                std::string_view line;
                lines.next(line);
              }),
              HasSubstr("Input/output error"));
}

TEST(InputFile, FilesThatShrinkWhileTheyAreReadAreNotCutOff) {
  const ScratchFolder folder;
  const std::string path = folder.write("f", std::string(10'000, 'x'));
  InputFile file(path);
  char piece[1000];
  EXPECT_EQ(file.read(piece, sizeof piece), 1000U);
  fs::resize_file(path, 1500);
  EXPECT_EQ(file.read(piece, sizeof piece), 500U);
  EXPECT_THAT(error_of([&] { file.read(piece, sizeof piece); }),
              HasSubstr("ends after 1500 of its 10000 bytes; it was changed while it was read"));
}

TEST(InputFile, FoldersAndUnreadableFilesAreNamed) {
  const ScratchFolder folder;
  EXPECT_THAT(error_of([&] { read_file(folder.path()); }), HasSubstr("is a folder, not a file"));
  EXPECT_THAT(error_of([&] { read_file(folder.path("none")); }),
              HasSubstr("cannot be read: No such file or directory"));
  if (::geteuid() == 0) return;  // may read everything
  const std::string path = folder.write("f", "x");
  fs::permissions(path, fs::perms::none);
  EXPECT_THAT(error_of([&] { read_file(path); }), HasSubstr("cannot be read: Permission denied"));
}

TEST(InputFile, LargerOnesThanTheLimitAreRefused) {
  const ScratchFolder folder;
  const Limit limit(1 << 20);
  const std::string path = folder.write("f", std::string((1 << 20) + 1, 'x'));
  const std::string larger = "is larger than 1MiB, the largest input that is read (set by --max-input)";
  EXPECT_THAT(error_of([&] { read_file(path); }), HasSubstr(larger));
  EXPECT_THAT(error_of([] { read_file("/dev/zero"); }), HasSubstr(larger)) << "has no end";
  EXPECT_THAT(error_of([] { LineFile("/dev/zero"); }), HasSubstr(larger));
  fs::resize_file(path, 1 << 20);
  EXPECT_EQ(read_file(path).size(), std::size_t{1} << 20);
}

TEST(InputFile, LinesEndInEitherWayAndMayLackTheLastEnd) {
  const ScratchFolder folder;
  LineFile lines(folder.write("f",
                              "\xEF\xBB\xBF"
                              "a\r\n\nb,\r"));
  std::vector<std::string> all;
  for (std::string_view line; lines.next(line);) all.emplace_back(line);
  EXPECT_THAT(all, testing::ElementsAre("a", "", "b,"));
  EXPECT_EQ(lines.number(), 3);
}

TEST(InputFile, LinesWithoutEndAreRefused) {
  const ScratchFolder folder;
  LineFile lines(folder.write("f", "a\n" + std::string(3'000'000, 'x')));
  std::string_view line;
  lines.next(line);
  EXPECT_THAT(error_of([&] { lines.next(line); }), HasSubstr("f:2: error: a line of more than 1048576 bytes"));
}

TEST(InputFile, NamesInsidePipesAreTakenFromTheWorkingFolder) {
  const ScratchFolder folder;
  EXPECT_EQ(folder_of_input(folder.write("f", "x")), fs::path(folder.path("f")).parent_path());
  EXPECT_EQ(folder_of_input("/dev/null"), "");
}

}  // namespace
}  // namespace weft::test

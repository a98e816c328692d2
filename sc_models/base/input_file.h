#pragma once
// Reader of all input files. A read error is never taken for the end of a file, no file is larger than the limit, and
// what can be read only once (a pipe, standard input, a device) is kept, so that it may be read as often as a file.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace weft {

inline constexpr std::uint64_t kLargestInput = std::uint64_t{512} << 20;  ///< unless set otherwise

/// Largest input in bytes; a larger one is refused, if its size is known before it is read.
void set_largest_input(std::uint64_t bytes);
std::uint64_t largest_input();

/// An input, read from its beginning. Everything throws InputError naming the file and the reason.
class InputFile {
 public:
  explicit InputFile(const std::filesystem::path& path);

  /// Reads up to `most` bytes; 0 only at the end.
  std::size_t read(char* to, std::size_t most);
  std::string read_rest();

 private:
  struct Handle {
    int number = -1;
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle();
  };
  void check_size(std::uint64_t bytes) const;
  [[noreturn]] void fail(const std::string& why) const;

  std::filesystem::path path_;
  Handle file_;
  std::uint64_t size_ = 0;
  std::uint64_t done_ = 0;
  std::shared_ptr<const std::string> kept_;  // then file_ is not used any more
};

/// Whole content of a file.
std::string read_file(const std::filesystem::path& path);

/// Result of `open()` on a file that the user names as the value of `key`: an error stands at that value, `where`.
template <class Open>
auto open_named(const Location& where, const std::string& key, Open&& open) {
  try {
    return open();
  } catch (const InputError& e) {
    const Diagnostic& why = e.list().front();
    throw InputError(where, key + ": " + why.where.text() + ": " + why.message);
  }
}

inline std::string read_file(const std::filesystem::path& path, const Location& where, const std::string& key) {
  return open_named(where, key, [&] { return read_file(path); });
}

/// Folder from which names inside an input are taken: its own; a pipe or a device stands in none, so the working
/// directory.
std::filesystem::path folder_of_input(const std::filesystem::path& path);

/// Lines of a file, read a piece at a time, so that a file of any size needs the memory of its longest line.
class LineFile {
 public:
  explicit LineFile(std::string path);

  /// Next line without its end; false at the end of the file. Valid until the next call. A byte order mark at the
  /// beginning of the file is passed over.
  bool next(std::string_view& line);
  int number() const { return number_; }  ///< of the last line, from 1
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  InputFile file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  int number_ = 0;
  bool at_end_ = false;
};

}  // namespace weft

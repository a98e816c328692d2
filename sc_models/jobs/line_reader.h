#pragma once
// Reads a text file of lines of fields, a piece at a time, so that a file of any size needs the memory of its longest
// line. Everything that is wrong is collected with line and column, up to a limit.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "jobs/job.h"

namespace weft::jobs {

struct LineField {
  std::string_view text;
  int column = 0;
};

class LineReader {
 public:
  /// Throws InputError when the file cannot be read. A line from `comment` on is a comment; a byte order mark at the
  /// beginning of the file is passed over.
  LineReader(std::string path, char comment);

  /// Next line that has fields; false at the end of the file. The fields are valid until the next call.
  bool next(std::vector<LineField>& fields);
  int line() const { return line_; }  ///< of the last fields, from 1
  /// A comment has been seen so far.
  bool comments() const { return comments_; }
  const std::string& path() const { return path_; }
  std::uint64_t bytes_read() const { return read_; }

 private:
  bool read_line(std::string_view& line);

  struct Close {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::string path_;
  char comment_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t read_ = 0;
  int line_ = 0;
  bool comments_ = false;
  bool at_end_ = false;
};

/// Errors of one file, up to a limit; then one more that says so.
class LineErrors {
 public:
  static constexpr std::size_t kMost = 20;
  LineErrors(const std::string& path, Diagnostics& diagnostics) : path_(path), diagnostics_(diagnostics) {}
  void add(int line, int column, std::string message);
  bool full() const { return count_ > kMost; }
  std::size_t count() const { return count_; }

 private:
  std::string path_;
  Diagnostics& diagnostics_;
  std::size_t count_ = 0;
};

/// What stands in a field, for messages: cut short, without control characters, in quotes.
std::string quoted(std::string_view text);

/// Whole number from `least` to `most`; otherwise reports "<name>: expected ..., got '...'" and returns false.
bool read_number(const LineField& field, const char* name, std::int64_t least, std::int64_t most, int line,
                 LineErrors& errors, std::int64_t& out);
/// A name: printable ASCII characters, at most 64, the first no '-'.
bool read_name(const LineField& field, const char* name, int line, LineErrors& errors, std::string& out);

}  // namespace weft::jobs

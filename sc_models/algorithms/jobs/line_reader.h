#pragma once
// Reader of text files whose lines are fields between blanks.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/jobs/job.h"
#include "base/diagnostics.h"
#include "base/input_file.h"

namespace weft::jobs {

struct LineField {
  std::string_view text;
  int column = 0;
};

class LineReader {
 public:
  /// Throws InputError when the file cannot be read. A line from `comment` on is a comment.
  LineReader(std::string path, char comment) : file_(std::move(path)), comment_(comment) {}

  /// Next line that has fields; false at the end of the file. The fields are valid until the next call.
  bool next(std::vector<LineField>& fields);
  int line() const { return file_.number(); }  ///< of the last fields, from 1
  /// A comment has been seen so far.
  bool comments() const { return comments_; }
  const std::string& path() const { return file_.path(); }

 private:
  LineFile file_;
  char comment_;
  bool comments_ = false;
};

/// Errors of one file.
class LineErrors {
 public:
  LineErrors(const std::string& path, Diagnostics& diagnostics) : path_(path), diagnostics_(diagnostics) {}
  void add(int line, int column, std::string message) { diagnostics_.error({path_, line, column}, std::move(message)); }
  bool give_up(int line) { return weft::give_up(diagnostics_, {path_, line}); }

 private:
  std::string path_;
  Diagnostics& diagnostics_;
};

/// Whole number from `least` to `most`; otherwise reports "<name>: expected ..., got '...'" and returns false.
bool read_number(const LineField& field, const char* name, std::int64_t least, std::int64_t most, int line,
                 LineErrors& errors, std::int64_t& out);
/// A name: printable ASCII characters, at most 64, the first no '-'.
bool read_name(const LineField& field, const char* name, int line, LineErrors& errors, std::string& out);

}  // namespace weft::jobs

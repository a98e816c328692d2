#pragma once
// Errors in what the user wrote, collected so that all of them are reported at once.

#include <stdexcept>
#include <string>
#include <vector>

namespace weft {

/// A place in an input file. Line and column count from 1; 0 means unknown (the whole file, a command-line option).
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  /// "file:line:column", "file:line" or "file", whatever is known.
  std::string text() const;
};

enum class Severity { warning, error };

struct Diagnostic {
  Severity severity = Severity::error;
  Location where;
  std::string message;
  /// One line: "file:line:column: error: message".
  std::string text() const;
};

class Diagnostics {
 public:
  void error(const Location& where, std::string message);
  void warning(const Location& where, std::string message);
  bool ok() const { return errors_ == 0; }  ///< no error so far (warnings allowed)
  std::size_t errors() const { return errors_; }
  const std::vector<Diagnostic>& list() const { return list_; }
  /// Sorted by file order of appearance, line, column; used once everything has been read.
  void sort();
  /// Throws InputError with everything collected when there is an error.
  void throw_if_errors() const;

 private:
  std::vector<Diagnostic> list_;
  std::size_t errors_ = 0;
};

/// What the user gave is wrong; exit status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> list);
  InputError(const Location& where, std::string message);
  const std::vector<Diagnostic>& list() const { return list_; }

 private:
  std::vector<Diagnostic> list_;
};

/// The run itself went wrong (lockstep difference, lost message, stall); exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace weft

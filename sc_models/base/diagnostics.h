#pragma once
// Errors in what the user wrote, collected so that all of them are reported at once.

#include <stdexcept>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace weft {

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

/// For readers of many lines: whether there are so many errors that reading on helps nobody. Says so at `where`.
bool give_up(Diagnostics& diagnostics, const Location& where);

}  // namespace weft

#pragma once
// Errors in what the user wrote, collected so that all of them are reported at once.

#include <cstddef>
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

/// Error or warning about what the user wrote, and its place.
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

/// Wrong input of the user; exit status 2.
class InputError : public std::runtime_error {
 public:
  explicit InputError(std::vector<Diagnostic> list);
  InputError(const Location& where, std::string message);
  /// As they are shown (shown_of()).
  const std::vector<Diagnostic>& list() const { return list_; }
  /// Every one of them.
  const std::vector<Diagnostic>& all() const { return all_; }

 private:
  std::vector<Diagnostic> all_;
  std::vector<Diagnostic> list_;
};

/// The run itself went wrong (lockstep difference, lost message, stall); exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// For readers of many lines: whether there are so many errors that reading on helps nobody. Says so at `where`.
bool give_up(Diagnostics& diagnostics, const Location& where);

// Errors and warnings as they are shown. However wrong an input is, what is said about it stays readable: a few of each
// kind and a count of the rest, the beginning and the end of long values.

inline constexpr std::size_t kMostOfOneKind = 20;  ///< messages that differ in names and numbers only
inline constexpr std::size_t kMostShown = 200;     ///< errors of all kinds, and warnings
inline constexpr std::size_t kMostErrors = 1000;   ///< after these, readers of many lines read no further

/// Those that are shown, in the order of `list`; the last one of a kind says how many more there are.
std::vector<Diagnostic> shown_of(std::vector<Diagnostic> list);

/// `message` with the beginning and the end of long values in quotes only, and at most 1000 bytes.
std::string shown_message(std::string message);

/// Makes a check and adds the errors it throws to `diagnostics`; whether it threw none.
template <class Check>
bool passes(Check&& check, Diagnostics& diagnostics) {
  try {
    check();
    return true;
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.all()) diagnostics.error(d.where, d.message);
    return false;
  }
}

}  // namespace weft

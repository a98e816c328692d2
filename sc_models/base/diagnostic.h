#pragma once
// Error or warning about what the user wrote, and its place.

#include <string>

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

}  // namespace weft

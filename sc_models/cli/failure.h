#pragma once
// Failures of commands: exit statuses, and what is said of them, as text on standard error and, where JSON is wanted,
// as a document on standard output.

#include <string>

#include "base/diagnostics.h"

namespace weft::cli {

inline constexpr int kDone = 0;
inline constexpr int kRunFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInterrupted = 130;

/// JSON document of bad input, with its line end.
std::string refusal_json(const InputError& error);
/// A wrong command line as JSON on standard output; people have read about it on standard error.
void print_usage_error(const std::string& message);
/// Reports what went wrong while a command ran; returns the exit status. Call from inside a catch block.
int report_exception(bool json);

/// Runs a command and turns what it throws into messages on standard error (and JSON on standard output) and a status.
template <class Command>
int guarded(bool json, Command&& command) {
  try {
    return command();
  } catch (...) {
    return report_exception(json);
  }
}

}  // namespace weft::cli

#pragma once
// Failures of a run.

#include <exception>
#include <stdexcept>
#include <string>

namespace weft {

/// What an exception that was caught and kept says.
inline std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  }
}

/// Completes a file that was written during a run: close() gives the names of what there is now. A file that cannot be
/// completed is a failure of the run, beside the one that there may be; there is a report all the same.
template <class Result, class Close>
void close_file(Result& result, Close&& close) {
  try {
    for (const std::string& name : close()) result.files.push_back(name);
  } catch (const std::runtime_error& e) {
    if (result.failure.find(e.what()) != std::string::npos) return;  // it has ended the run
    result.failure += (result.failure.empty() ? "" : "\n") + std::string(e.what());
  }
}

}  // namespace weft

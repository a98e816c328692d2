#pragma once
// Failures of a run.

#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <typeinfo>

#include "base/diagnostics.h"

namespace weft {

/// Text of an exception that was caught and kept.
inline std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& e) {
    return e.what();
  }
}

/// Whether it is of this very type.
inline bool is_failure_of(const std::exception_ptr& failure, const std::type_info& type) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return typeid(e) == type;
  }
}

/// Opens a file that is written during a run. When its medium is full or broken the run fails before it begins; there
/// is a report all the same. Returns whether it can begin.
template <class Result, class Open>
bool open_file(Result& result, Open&& open) {
  try {
    open();
  } catch (const RunError& e) {
    result.failure = e.what();
  }
  return result.failure.empty();
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

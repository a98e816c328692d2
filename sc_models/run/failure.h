#pragma once
// What an exception that was caught and kept says.

#include <exception>
#include <string>

namespace weft {

inline std::string failure_text(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& e) {
    return e.what();
  }
}

}  // namespace weft

#pragma once
// One simulation after the other in one test: each in a forked copy of the process, since the SystemC kernel does not
// restart. The test itself must not elaborate anything.

#include <functional>
#include <string>

namespace weft::test {

struct ChildResult {
  bool ok = false;   ///< the work returned
  std::string text;  ///< what it returned, or what went wrong: exception, signal
};

ChildResult in_child(const std::function<std::string()>& work);

/// Multiplier from the environment variable WEFT_SOAK (1 without it) for the number of random cases.
int soak();

}  // namespace weft::test

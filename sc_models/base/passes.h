#pragma once
// Several checks, each of which throws what it finds, said together.

#include "base/diagnostics.h"

namespace weft {

/// Makes a check and adds the errors it throws to `diagnostics`; whether it threw none.
template <class Check>
bool passes(Check&& check, Diagnostics& diagnostics) {
  try {
    check();
    return true;
  } catch (const InputError& e) {
    for (const Diagnostic& d : e.list()) diagnostics.error(d.where, d.message);
    return false;
  }
}

}  // namespace weft

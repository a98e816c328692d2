#pragma once
// Time that a command may take over one step of its plan, asked before it is spent.

#include <string>

#include "base/diagnostics.h"

namespace weft {

/// Seconds of processor time; infinite unless it is set, as `weft check` does.
double usable_seconds();
void set_usable_seconds(double seconds);

/// Throws InputError at `where` when `what` ("looking for deadlocks of 16384 switches") takes longer than may be spent.
/// `seconds`: an estimate for a present-day processor, within a factor of four.
void need_seconds(double seconds, const Location& where, const std::string& what);

}  // namespace weft

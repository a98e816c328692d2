#pragma once
// The outcome of a network in which circuits come and go, as JSON, so that it can come from a child process.

#include "support/setup_runs.h"

namespace weft::test {

/// Runs a case in a child; its logs as JSON, or {"failure": ...}.
nlohmann::json setup_in_child(const SetupCase& setup, std::optional<std::uint64_t> shuffle = {});

}  // namespace weft::test

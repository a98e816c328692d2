#pragma once

#include <string>

namespace weft::test {

/// report.json without what says which implementations ran and what lockstep pairs compared. Throws when the first is
/// not there.
std::string neutral_report(const std::string& report);

}  // namespace weft::test

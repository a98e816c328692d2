#pragma once

#include <string>

namespace weft::test {

/// report.json without the line that says which implementations ran. Throws when there is no such line.
std::string neutral_report(const std::string& report);

}  // namespace weft::test

#include "support/neutral_report.h"

#include <sstream>
#include <stdexcept>

namespace weft::test {

std::string neutral_report(const std::string& report) {
  std::istringstream lines(report);
  std::string out;
  std::size_t left_out = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind(" \"implementation\":", 0) == 0) {
      ++left_out;
    } else {
      out += line + "\n";
    }
  }
  if (left_out != 1) throw std::runtime_error("the report has no line that says which implementations ran");
  return out;
}

}  // namespace weft::test

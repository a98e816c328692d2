#include "support/neutral_report.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace weft::test {

std::string neutral_report(const std::string& report) {
  auto json = nlohmann::ordered_json::parse(report);
  if (json.erase("implementation") != 1) {
    throw std::runtime_error("the report does not say which implementations ran");
  }
  json.erase("configuration");
  json["figures"].erase("lockstep");
  json["tables"].erase("lockstep");
  return json.dump(1);
}

}  // namespace weft::test

#include "tdm/wave_views.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace weft::pins {

std::set<std::string> signals_of(const std::filesystem::path& fst) {
  const std::filesystem::path vcd = std::filesystem::path(fst).replace_extension(".vcd");
  if (std::system(fmt::format("fst2vcd -f '{}' -o '{}'", fst.string(), vcd.string()).c_str()) != 0) {
    throw std::runtime_error("fst2vcd (of GTKWave) failed");
  }
  std::set<std::string> names;
  std::vector<std::string> scopes;
  std::ifstream file(vcd);
  for (std::string line; std::getline(file, line) && line.find("$enddefinitions") == std::string::npos;) {
    std::istringstream words(line);
    std::string keyword, kind, width, code, name, range;
    words >> keyword >> kind;
    if (keyword == "$scope") {
      words >> name;
      scopes.push_back(name);
    } else if (keyword == "$upscope") {
      scopes.pop_back();
    } else if (keyword == "$var") {
      words >> width >> code >> name >> range;
      names.insert(fmt::format("{}.{}{}", fmt::join(scopes, "."), name, range == "$end" ? "" : range));
    }
  }
  return names;
}

std::vector<std::string> shown_by(const std::filesystem::path& view) {
  std::vector<std::string> names;
  std::ifstream file(view);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && std::string("[*@-#!^").find(line[0]) == std::string::npos) names.push_back(line);
  }
  return names;
}

}  // namespace weft::pins

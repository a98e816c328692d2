#include "run/family.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

std::string Plan::undivided(const RunOptions& /*options*/) const {
  return "this fabric is simulated by one process; 'fabric: packet', 'tdm', 'ideal' and 'optweb' can be divided";
}

void renew_fabric(YamlNode& root, Diagnostics& diagnostics) {
  YamlEntry* fabric = root.find("fabric");
  if (fabric == nullptr || fabric->value.kind != YamlNode::Kind::scalar) return;
  YamlNode& word = fabric->value;
  const std::string now = renewed_fabric(word.text);
  if (now == word.text) return;
  diagnostics.warning(word.where, fmt::format("fabric: '{}' is now called '{}'", word.text, now));
  word.text = now;
}

std::string renewed_fabric(const std::string& word) {
  for (const auto& [former, now] : {std::pair{"fic", "tdm"}, {"qos", "packet"}}) {
    if (word == former) return now;
  }
  return word;
}

void check_fabric(const YamlNode& root, const std::string& file, const std::vector<std::string>& fabrics,
                  const std::string& wanted) {
  const YamlEntry* fabric = root.find("fabric");
  if (fabric == nullptr || fabric->value.text == wanted) return;
  // A word that is none is reported by the type of the key.
  if (std::find(fabrics.begin(), fabrics.end(), fabric->value.text) == fabrics.end()) return;
  throw InputError(fabric->value.where,
                   fmt::format("fabric: '{}' is expected here, {} describes '{}'", wanted, file, fabric->value.text));
}

FamilyInput file_input(const std::string& file, const Overrides& overrides, const std::string& fabric) {
  return {load_document(file), file, overrides, {fabric}};
}

FamilyInput text_input(const std::string& text, const std::string& name, const std::string& folder,
                       const Overrides& overrides, const std::string& fabric) {
  return {parse_document(text, name, folder), name, overrides, {fabric}};
}

}  // namespace weft

#include "cli/option_checks.h"

namespace weft::cli {

Location option_at(const std::string& option, const std::string& text) { return {option + " " + text}; }

YamlNode scalar_node(const std::string& text, const Location& where) {
  return {YamlNode::Kind::scalar, where, text, {}};
}

YamlNode list_node(const std::string& text, const Location& where) {
  YamlNode out{YamlNode::Kind::sequence, where, {}, {}};
  std::size_t begin = 0;
  while (true) {
    const std::size_t comma = text.find(',', begin);
    out.entries.push_back({{}, where, scalar_node(text.substr(begin, comma - begin), where)});
    if (comma == std::string::npos) return out;
    begin = comma + 1;
  }
}

}  // namespace weft::cli

#include "schema/yaml_tree.h"

#include <algorithm>
#include <string_view>

namespace weft {
namespace {

bool is_plain(const std::string& text) {
  constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";
  constexpr std::string_view kBegin = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/";
  if (text.empty() || kBegin.find(text.front()) == std::string_view::npos) return false;
  if (text == "null" || text == "Null" || text == "NULL") return false;
  return std::all_of(text.begin(), text.end(), [&](char c) { return kSafe.find(c) != std::string_view::npos; });
}

std::string scalar_text(const std::string& text) {
  if (is_plain(text)) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace

std::string flow_text(const YamlNode& node) {
  if (node.kind == YamlNode::Kind::null) return "null";
  if (node.kind == YamlNode::Kind::scalar) return scalar_text(node.text);
  const bool map = node.kind == YamlNode::Kind::map;
  std::string out;
  for (const YamlEntry& e : node.entries) {
    if (!out.empty()) out += ", ";
    if (map) out += scalar_text(e.key) + ": ";
    out += flow_text(e.value);
  }
  return map ? "{" + out + "}" : "[" + out + "]";
}

}  // namespace weft

#include "network/keys/port_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace weft {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool skip(std::string_view word) {
    if (!text_.starts_with(word)) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  bool number(std::uint32_t& n) {
    const auto [stop, error] = std::from_chars(text_.data(), text_.data() + text_.size(), n);
    text_.remove_prefix(static_cast<std::size_t>(stop - text_.data()));
    return error == std::errc();
  }
  /// `5` or `0..3`.
  bool range(std::uint32_t& first, std::uint32_t& last) {
    if (!number(first)) return false;
    last = first;
    return !skip("..") || number(last);
  }
  bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

bool read(Reader& r, PortRange& out, bool links) {
  out.nic = r.skip("nic[");
  if (!out.nic && !r.skip("sw[")) return false;
  if (!r.range(out.first, out.last)) return false;
  if (!r.skip("]") || out.first > out.last) return false;
  if (!out.nic && r.skip(".port") && !r.number(out.port.emplace())) return false;
  if (links && !out.nic && !out.port && out.first == out.last && r.skip("-sw[")) {
    if (!r.number(out.peer.emplace()) || !r.skip("]")) return false;
  }
  return r.at_end();
}

/// `WORD[5]` or `WORD[0..3]`: first and last. `several`, `one`: as users call them.
std::optional<std::pair<std::uint32_t, std::uint32_t>> parse_range(const std::string& word, const char* several,
                                                                   const char* one, const std::string& text,
                                                                   const Location& where, const std::string& path,
                                                                   Diagnostics& diagnostics) {
  const auto fail = [&](const std::string& why) {
    diagnostics.error(where, fmt::format("{}: {}, got '{}'", path, why, text));
    return std::nullopt;
  };
  Reader reader(text);
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  const bool begins = reader.skip(word) && reader.skip("[") && reader.range(first, last);
  if (!begins || !reader.skip("]") || !reader.at_end()) {
    return fail(fmt::format("expected {0} written as {1}[5] or {1}[0..3]", several, word));
  }
  if (first > last) return fail(fmt::format("the first {0} of a range must not be above the last", one));
  return std::pair(first, last);
}

std::optional<PortRange> parse(const std::string& text, const Location& where, bool links) {
  PortRange out;
  out.where = where;
  out.text = text;
  Reader reader(text);
  return read(reader, out, links) ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<SwitchRange> parse_switch_range(const std::string& text, const Location& where, const std::string& path,
                                              Diagnostics& diagnostics) {
  const auto range = parse_range("sw", "switches", "switch", text, where, path, diagnostics);
  return range ? std::optional(SwitchRange{where, range->first, range->second}) : std::nullopt;
}

std::optional<NodeRange> parse_node_range(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics) {
  const auto range = parse_range("node", "nodes", "node", text, where, path, diagnostics);
  return range ? std::optional(NodeRange{where, range->first, range->second}) : std::nullopt;
}

Type<SwitchRange> switch_range_type() {
  TypeInfo info;
  info.name = "switches";
  info.range = "sw[5] or sw[0..3]";
  info.form = phrase_form(R"(^sw\[[0-9]+(\.\.[0-9]+)?\]$)");
  return {std::move(info),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<SwitchRange> {
            const auto text = read_scalar(node, path, "switches written as sw[5] or sw[0..3]", diagnostics);
            return text ? parse_switch_range(*text, node.where, path, diagnostics) : std::nullopt;
          }};
}

Type<NodeRange> node_range_type(NodeId last) {
  TypeInfo info;
  info.name = "node range";
  info.range = last < kNoId - 1 ? fmt::format("such as 5 or 0..3, up to {}", last) : "such as 5 or 0..3";
  info.form = text_form(R"(^([0-9]+(\.\.[0-9]+)?|node\[[0-9]+(\.\.[0-9]+)?\])$)");
  return {std::move(info),
          [last](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<NodeRange> {
            const std::string expected = "a node such as 5, or a range of nodes such as 0..3";
            const auto text = read_scalar(node, path, expected, diagnostics);
            if (!text) return std::nullopt;
            std::optional<NodeRange> out;
            if (text->starts_with("node")) {
              out = parse_node_range(*text, node.where, path, diagnostics);
            } else {
              Reader reader(*text);
              NodeRange range{node.where, 0, 0};
              if (reader.range(range.first, range.last) && reader.at_end() && range.first <= range.last) out = range;
              if (!out) diagnostics.error(node.where, fmt::format("{}: expected {}, got '{}'", path, expected, *text));
            }
            if (!out || out->last <= last) return out;
            diagnostics.error(node.where, fmt::format("{}: expected nodes from 0 to {}, got '{}'", path, last, *text));
            return std::nullopt;
          }};
}

Type<std::vector<Placed<std::uint32_t>>> node_list_type(NodeId last, std::size_t most) {
  using List = std::vector<Placed<std::uint32_t>>;
  const auto ranges = list_of(node_range_type(last), 1, most);
  return {ranges.info,
          [=](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<List> {
            const auto entries = ranges.read(node, path, diagnostics);
            if (!entries) return std::nullopt;
            List out;
            for (const auto& [range, where, valid] : *entries) {
              if (range.last - range.first >= most - out.size()) {
                diagnostics.error(range.where, fmt::format("{}: expected at most {} nodes", path, most));
                return std::nullopt;
              }
              for (NodeId n = range.first; n <= range.last; ++n) out.push_back({n, range.where, true});
            }
            return out;
          }};
}

bool in_range_of_previous(const std::vector<Placed<std::uint32_t>>& list, std::size_t index) {
  if (index == 0 || list[index].value != list[index - 1].value + 1) return false;
  const Location& here = list[index].where;
  const Location& before = list[index - 1].where;
  return here.line == before.line && here.column == before.column;
}

std::vector<NodeRange> resolve_node_ranges(const std::vector<Placed<NodeRange>>& list, const std::string& path,
                                           Diagnostics& diagnostics) {
  std::vector<NodeRange> out;
  for (const auto& entry : list) out.push_back(entry.value);
  std::stable_sort(out.begin(), out.end(), [](const NodeRange& a, const NodeRange& b) { return a.first < b.first; });
  for (std::size_t i = 1; i < out.size(); ++i) {
    if (out[i].first > out[i - 1].last) continue;
    diagnostics.error(out[i].where, fmt::format("{}: names node {} twice", path, out[i].first));
    return {};
  }
  return out;
}

std::optional<PortRange> parse_port_range(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics) {
  auto out = parse(text, where, false);
  if (!out) {
    diagnostics.error(
        where, fmt::format("{}: expected ports such as 'sw[0..3]', 'sw[5].port2' or 'nic[7]', got '{}'", path, text));
  }
  return out;
}

Type<PortRange> port_range_type() {
  const Type<std::string> word = word_type();
  TypeInfo info = word.info;
  info.name = "ports";
  info.form = phrase_form(R"(^(sw\[[0-9]+(\.\.[0-9]+)?\](\.port[0-9]+)?|nic\[[0-9]+(\.\.[0-9]+)?\])$)");
  return {std::move(info), [word](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
            const auto text = word.read(node, path, diagnostics);
            return text ? parse_port_range(*text, node.where, path, diagnostics) : std::nullopt;
          }};
}

std::optional<PortRange> parse_link_place(const std::string& text, const Location& where, const std::string& path,
                                          Diagnostics& diagnostics) {
  auto out = parse(text, where, true);
  if (!out) {
    diagnostics.error(where, fmt::format("{}: expected a place such as 'sw[5]', 'sw[0..3]', 'sw[5].port2', "
                                         "'sw[1]-sw[2]' or 'nic[7]', got '{}'",
                                         path, text));
  }
  return out;
}

}  // namespace weft

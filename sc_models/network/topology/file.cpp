// Topology file reader: see network/topology/file.h for the format.

#include "network/topology/file.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/parsed_inputs.h"
#include "base/text.h"

namespace weft {
namespace {

struct Word {
  std::string_view text;
  Location where;
};
using Statement = std::vector<Word>;

const std::vector<std::string>& keywords() {
  static const std::vector<std::string> words{"switches", "ports", "node", "link"};
  return words;
}

constexpr std::size_t kMostWords = 5;  // of a statement, and one that is too much

// Words of the first line of `text`, which is taken away.
Statement next_line(std::string_view& text, const std::string& file, int line) {
  const std::size_t end = text.find('\n');
  std::string_view rest = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  rest = rest.substr(0, rest.find('#'));
  Statement words;
  for (std::size_t at = rest.find_first_not_of(" \t\r"); at != std::string_view::npos && words.size() < kMostWords;) {
    const std::size_t stop = std::min(rest.find_first_of(" \t\r", at), rest.size());
    words.push_back({rest.substr(at, stop - at), {file, line, static_cast<int>(at) + 1}});
    at = rest.find_first_not_of(" \t\r", stop);
  }
  return words;
}

class GraphReader {
 public:
  explicit GraphReader(const std::string& file) : file_(file), graph_("topology file " + file_name(file)) {}

  Graph read(std::string_view text) {
    std::vector<Statement> statements;
    for (int line = 1; !text.empty() && !give_up(diagnostics_, {file_, line}); ++line) {
      Statement s = next_line(text, file_, line);
      if (!s.empty() && well_formed(s)) statements.push_back(std::move(s));
    }
    for (const Statement& s : statements) {
      if (s[0].text == "switches") read_switches(s);
    }
    if (switches_.empty() && diagnostics_.ok()) error({file_, 0, 0}, "no 'switches N ports P' line");
    for (const Statement& s : statements) {
      if (s[0].text == "ports") read_ports(s);
    }
    if (!switches_.empty() && ports_fit()) {
      for (const std::uint32_t ports : switches_) graph_.add_switch(static_cast<PortId>(ports));
      for (const Statement& s : statements) {
        if (s[0].text == "node") read_node(s);
        if (s[0].text == "link") read_link(s);
      }
      attach_nodes();
    }
    diagnostics_.sort();
    diagnostics_.throw_if_errors();
    return std::move(graph_);
  }

 private:
  static std::string file_name(const std::string& file) { return std::filesystem::path(file).filename().string(); }

  void error(const Location& where, const std::string& text) { diagnostics_.error(where, text); }

  bool well_formed(const Statement& s) {
    struct Form {
      std::string_view keyword, shape;
      std::size_t words;
    };
    static constexpr Form kForms[] = {{"switches", "switches N ports P", 4},
                                      {"ports", "ports S P", 3},
                                      {"node", "node N S:P", 3},
                                      {"link", "link S:P S:P", 3}};
    for (const Form& form : kForms) {
      if (s[0].text != form.keyword) continue;
      if (s.size() > form.words) {
        error(s[form.words].where, fmt::format("'{}' is too much: the form is '{}'", s[form.words].text, form.shape));
        return false;
      }
      if (s.size() < form.words) {
        error(s[0].where, fmt::format("too few words: the form is '{}'", form.shape));
        return false;
      }
      return true;
    }
    error(s[0].where, fmt::format("unknown word '{}'{}", s[0].text, did_you_mean(s[0].text, keywords())));
    return false;
  }

  /// `what` names the number, `whose` stands behind it: "port 9 of switch 2 is out of range 0..3".
  std::optional<std::uint32_t> number(std::string_view text, const Location& where, std::uint64_t least,
                                      std::uint64_t most, const std::string& what, const std::string& whose = "") {
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc::invalid_argument || end != text.data() + text.size()) {
      error(where, fmt::format("'{}' is not a number: {}{} expected", text, what, whose));
      return std::nullopt;
    }
    if (failure != std::errc() || value < least || value > most) {
      error(where, fmt::format("{} {}{} is out of range {}..{}", what, text, whose, least, most));
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(value);
  }

  void read_switches(const Statement& s) {
    if (switches_line_ > 0) {
      error(s[0].where, fmt::format("'switches' is already in line {}", switches_line_));
      return;
    }
    switches_line_ = s[0].where.line;
    if (s[2].text != "ports") {
      static const std::vector<std::string> word{"ports"};
      error(s[2].where, fmt::format("unknown word '{}'{}", s[2].text, did_you_mean(s[2].text, word)));
    }
    const auto count = number(s[1].text, s[1].where, 1, kMaxSwitches, "number of switches");
    const auto ports = number(s[3].text, s[3].where, 1, kMaxPortsPerSwitch, "number of ports");
    if (count && ports) switches_.assign(*count, *ports);
    ports_where_ = s[3].where;
  }

  // Before anything is built: a line can ask for more ports than any machine has memory for.
  bool ports_fit() {
    const std::uint64_t ports = std::accumulate(switches_.begin(), switches_.end(), std::uint64_t{0});
    if (ports <= kMaxPorts) return true;
    error(ports_where_,
          fmt::format("{} switches have {} ports, at most {} are accepted", switches_.size(), ports, kMaxPorts));
    return false;
  }

  void read_ports(const Statement& s) {
    if (switches_.empty()) return;
    const auto sw = number(s[1].text, s[1].where, 0, switches_.size() - 1, "switch");
    const auto ports = number(s[2].text, s[2].where, 1, kMaxPortsPerSwitch, "number of ports");
    if (!sw || !ports) return;
    if (const auto [it, first] = port_lines_.try_emplace(*sw, s[0].where.line); !first) {
      error(s[1].where, fmt::format("the ports of switch {} are set already in line {}", *sw, it->second));
      return;
    }
    switches_[*sw] = *ports;
  }

  std::optional<PortRef> port(const Word& word) {
    const std::size_t colon = word.text.find(':');
    if (colon == std::string_view::npos) {
      error(word.where, fmt::format("'{}' is not a port: the form is SWITCH:PORT", word.text));
      return std::nullopt;
    }
    Location after = word.where;
    after.column += static_cast<int>(colon) + 1;
    const auto sw = number(word.text.substr(0, colon), word.where, 0, switches_.size() - 1, "switch");
    if (!sw) return std::nullopt;
    const auto p =
        number(word.text.substr(colon + 1), after, 0, switches_[*sw] - 1u, "port", fmt::format(" of switch {}", *sw));
    if (!p) return std::nullopt;
    return PortRef{*sw, static_cast<PortId>(*p)};
  }

  /// Takes the port for this statement; an error when another one has it.
  bool take(PortRef ref, const Word& word) {
    const auto [it, first] = taken_.try_emplace(graph_.out_link(ref.sw, ref.port), word.where.line);
    if (!first) error(word.where, fmt::format("port {} is already used in line {}", word.text, it->second));
    return first;
  }

  void read_node(const Statement& s) {
    const auto n = number(s[1].text, s[1].where, 0, kMaxPorts, "node");
    const auto at = port(s[2]);
    if (!n) return;
    const auto [it, first] = nodes_.try_emplace(*n, NodeLine{s[1].where, at});
    if (!first) error(s[1].where, fmt::format("node {} is already in line {}", *n, it->second.where.line));
    if (at && !take(*at, s[2])) it->second.at.reset();
  }

  void read_link(const Statement& s) {
    const auto a = port(s[1]);
    const auto b = port(s[2]);
    if (!a || !b) return;
    if (a->sw == b->sw) {
      error(s[2].where, fmt::format("the link joins switch {} to itself", a->sw));
      return;
    }
    if (graph_.peer(a->sw, a->port) == *b) {
      error(s[0].where, fmt::format("link {} {} is already in line {}", s[1].text, s[2].text,
                                    taken_.at(graph_.out_link(a->sw, a->port))));
      return;
    }
    const bool free_a = take(*a, s[1]);
    const bool free_b = take(*b, s[2]);
    if (free_a && free_b) graph_.connect(*a, *b);
  }

  void attach_nodes() {
    std::uint32_t expected = 0;
    for (const auto& [n, line] : nodes_) {
      if (n != expected) {
        error(line.where,
              n == expected + 1
                  ? fmt::format("node {} is missing: nodes are numbered without gaps", expected)
                  : fmt::format("nodes {} to {} are missing: nodes are numbered without gaps", expected, n - 1));
      }
      expected = n + 1;
      if (line.at && diagnostics_.ok()) graph_.attach_node(*line.at);
    }
  }

  struct NodeLine {
    Location where;
    std::optional<PortRef> at;
  };

  std::string file_;
  Graph graph_;
  Diagnostics diagnostics_;
  int switches_line_ = 0;
  Location ports_where_;
  std::vector<std::uint32_t> switches_;      // ports per switch
  std::map<std::uint32_t, int> port_lines_;  // switch -> line that set its ports
  std::map<LinkId, int> taken_;              // port -> line that uses it
  std::map<std::uint32_t, NodeLine> nodes_;
};

}  // namespace

const Topology& file_topology() {
  static const Topology record{
      .name = "file",
      .meaning = "network from a text file",
      .keys = {{.name = "file",
                .meaning = "text file with the network, relative to the file that names it",
                .form = TopologyKey::Form::file}},
      .build =
          [](const TopologyConfig& c) {
            const std::string& file = c.file("file");
            return GraphReader(file).read(*ParsedInputs::once<std::string>(file, [&] { return read_file(file); }));
          },
  };
  return record;
}

}  // namespace weft

#include "network/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace weft {
namespace {

LinkId cable(PortRef at, const Graph& graph) {
  const PortRef peer = graph.peer(at.sw, at.port);
  const LinkId own = graph.out_link(at.sw, at.port);
  return peer.sw == kNoId ? own : std::min(own, graph.out_link(peer.sw, peer.port));
}

std::string peer_problem(const PortRange& range, const Graph& graph) {
  if (*range.peer >= graph.switches()) {
    return fmt::format("there is no sw[{}], the last is sw[{}]", *range.peer, graph.switches() - 1);
  }
  std::string neighbours;
  std::set<SwitchId> seen;
  for (PortId p = 0; p < graph.ports(range.first); ++p) {
    const SwitchId peer = graph.peer(range.first, p).sw;
    if (peer == *range.peer) return {};
    if (peer != kNoId && seen.insert(peer).second)
      neighbours += fmt::format("{}sw[{}]", neighbours.empty() ? "" : ", ", peer);
  }
  return fmt::format("there is no link between sw[{}] and sw[{}]; sw[{}] has links to {}", range.first, *range.peer,
                     range.first, neighbours.empty() ? "no other switch" : neighbours);
}

// Holds faults of the same links against each other.
class Overlaps {
 public:
  explicit Overlaps(const std::vector<FaultConfig>& faults, const Graph& graph) : faults_(faults) {
    std::map<LinkId, std::vector<std::size_t>> by_cable;
    for (std::size_t i = 0; i < faults.size(); ++i) {
      cables_.push_back(cables_of(faults[i].place, graph));
      for (const LinkId c : cables_.back()) by_cable[c].push_back(i);
    }
    for (auto& [c, all] : by_cable) {
      std::stable_sort(all.begin(), all.end(),
                       [&](std::size_t a, std::size_t b) { return faults[a].down < faults[b].down; });
      for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = a + 1; b < all.size() && faults[all[b]].down < up(all[a]); ++b) {
          pairs_.insert(std::minmax(all[a], all[b]));
        }
      }
    }
  }

  std::vector<std::string> notes() const {
    std::vector<std::string> out;
    for (const auto& [a, b] : pairs_) {
      if (covers(a, b)) {
        out.push_back(nothing(b, a));
      } else if (covers(b, a)) {
        out.push_back(nothing(a, b));
      } else if (up(a) != up(b)) {
        const auto [first, last] = up(a) < up(b) ? std::pair(a, b) : std::pair(b, a);
        out.push_back(fmt::format("{} is over in cycle {}, but links that it shares with {} stay down {}", text(first),
                                  up(first), text(last), until(last)));
      }
    }
    return out;
  }

 private:
  static constexpr Cycle kForever = std::numeric_limits<Cycle>::max();
  Cycle up(std::size_t i) const { return faults_[i].up.value_or(kForever); }
  std::string text(std::size_t i) const { return text_of(faults_[i]); }
  std::string until(std::size_t i) const {
    return faults_[i].up ? fmt::format("until cycle {}", *faults_[i].up) : "for good";
  }
  bool covers(std::size_t a, std::size_t b) const {
    return faults_[a].down <= faults_[b].down && up(b) <= up(a) &&
           std::includes(cables_[a].begin(), cables_[a].end(), cables_[b].begin(), cables_[b].end());
  }
  std::string nothing(std::size_t b, std::size_t a) const {
    return fmt::format("{} has no effect: {} holds its links down from cycle {} on, {}", text(b), text(a),
                       faults_[a].down, until(a));
  }

  const std::vector<FaultConfig>& faults_;
  std::vector<std::vector<LinkId>> cables_;
  std::set<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

void check_node_ranges(const std::vector<NodeRange>& ranges, std::uint32_t nodes, const std::string& path,
                       const std::string& node, Diagnostics& diagnostics) {
  if (ranges.empty() || ranges.back().last < nodes) return;
  diagnostics.error(ranges.back().where, fmt::format("{}: there is no {} {}: the network has {}s 0 to {}", path, node,
                                                     ranges.back().last, node, nodes - 1));
}

std::vector<NodeId> nodes_of(const std::vector<NodeRange>& ranges) {
  std::vector<NodeId> out;
  for (const NodeRange& r : ranges) {
    for (std::uint64_t n = r.first; n <= r.last; ++n) out.push_back(static_cast<NodeId>(n));
  }
  return out;
}

std::string text_of(const FaultConfig& f) {
  const int line = f.place.where.line;  // 0: it stands in no file
  return fmt::format("{} ({}{})", f.name, f.place.text, line > 0 ? fmt::format(", line {}", line) : "");
}

std::string text_of(const SwitchRange& range) {
  return range.first == range.last ? fmt::format("sw[{}]", range.first)
                                   : fmt::format("sw[{}..{}]", range.first, range.last);
}

std::string range_problem(const SwitchRange& range, const Graph& graph) {
  if (range.last < graph.switches()) return {};
  return fmt::format("there is no sw[{}]: {} has sw[0] to sw[{}]", range.last, graph.name(), graph.switches() - 1);
}

std::string range_problem(const PortRange& range, const Graph& graph) {
  const std::uint32_t count = range.nic ? graph.nodes() : graph.switches();
  if (range.last >= count) {
    const char* kind = range.nic ? "nic" : "sw";
    return fmt::format("there is no {}[{}], the last is {}[{}]", kind, range.last, kind, count - 1);
  }
  for (SwitchId s = range.first; range.port && s <= range.last; ++s) {
    if (*range.port < graph.ports(s) && !graph.is_free({s, static_cast<PortId>(*range.port)})) continue;
    return fmt::format("sw[{}] has nothing connected at port {}", s, *range.port);
  }
  return range.peer ? peer_problem(range, graph) : std::string();
}

std::vector<LinkId> cables_of(const PortRange& place, const Graph& graph) {
  std::set<LinkId> out;
  for (std::uint32_t n = place.first; n <= place.last; ++n) {
    if (place.nic) {
      const PortRef at = graph.attachment(n);
      for (std::uint32_t i = 0; i < graph.node_links(); ++i) {
        out.insert(cable({at.sw, static_cast<PortId>(at.port + i)}, graph));
      }
      continue;
    }
    for (PortId p = 0; p < graph.ports(n); ++p) {
      if (graph.is_free({n, p}) || (place.port && *place.port != p)) continue;
      if (place.peer && graph.peer(n, p).sw != *place.peer) continue;
      out.insert(cable({n, p}, graph));
    }
  }
  return {out.begin(), out.end()};
}

void check_faults(const std::vector<FaultConfig>& faults, const Graph& graph, Diagnostics& diagnostics) {
  for (const FaultConfig& f : faults) {
    const std::string problem = range_problem(f.place, graph);
    if (!problem.empty()) diagnostics.error(f.place.where, fmt::format("{}.at: {}", f.name, problem));
  }
}

std::vector<std::string> fault_notes(const std::vector<FaultConfig>& faults, const Graph& graph,
                                     std::optional<Cycle> end) {
  constexpr std::size_t kMost = 20;
  std::vector<std::string> out;
  for (const FaultConfig& f : faults) {
    if (!end || f.down <= *end) continue;
    out.push_back(
        fmt::format("{} has no effect: it begins in cycle {}, the run ends in cycle {}", text_of(f), f.down, *end));
  }
  const auto overlaps = Overlaps(faults, graph).notes();
  out.insert(out.end(), overlaps.begin(), overlaps.end());
  if (out.size() > kMost) {
    const std::size_t more = out.size() - kMost;
    out.resize(kMost);
    out.push_back(fmt::format("and {} more about faults", more));
  }
  return out;
}

}  // namespace weft

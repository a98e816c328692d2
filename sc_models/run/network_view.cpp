#include "run/network_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <utility>

namespace weft {
namespace {

using Place = NetworkView::Place;

constexpr std::size_t kMostSwitches = 8192;
constexpr std::size_t kMostLinks = 32'768;    // directed
constexpr std::size_t kMostNodes = 1024;      // beside their switches
constexpr std::uint32_t kMostByForces = 128;  // switches

Place on_circle(double radius, double turn) {
  return {radius * std::sin(2 * std::numbers::pi * turn), radius * std::cos(2 * std::numbers::pi * turn)};
}

// The first two dimensions make a plane; the planes of the others stand side by side in rows.
std::vector<Place> grid_places(const Graph& g) {
  const std::vector<std::uint32_t>& dims = g.grid().dims;
  const std::uint32_t width = dims[0];
  const std::uint32_t height = dims.size() > 1 ? dims[1] : 1;
  const std::uint32_t planes = g.switches() / (width * height);
  const auto columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(static_cast<double>(planes) * height / width)));
  std::vector<Place> out;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    const std::uint32_t plane = s / (width * height);
    out.push_back(
        {s % width + (width + 0.8) * (plane % columns), s / width % height + (height + 0.8) * (plane / columns)});
  }
  return out;
}

std::vector<Place> tree_places(const Graph& g) {
  const std::uint32_t width = g.switches() / g.tree().levels;
  const double height = std::max(1.0, width * 0.45 / std::max(1U, g.tree().levels - 1));
  std::vector<Place> out;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    out.push_back({static_cast<double>(s % width), height * (s / width)});
  }
  return out;
}

// Groups on a circle, the routers of each on a circle of its own.
std::vector<Place> group_places(std::uint32_t groups, std::uint32_t routers) {
  const double own = routers > 1 ? 0.5 + routers * 0.17 : 0.3;
  const double radius = groups > 1 ? std::max(2.2 * own, groups * own * 2.5 / (2 * std::numbers::pi)) : 0;
  std::vector<Place> out;
  for (std::uint32_t s = 0; s < groups * routers; ++s) {
    const Place group = on_circle(radius, static_cast<double>(s / routers) / groups);
    const Place p = on_circle(own, static_cast<double>(s % routers) / routers);
    out.push_back({group.x + p.x, group.y + p.y});
  }
  return out;
}

std::vector<Place> circle_places(std::uint32_t switches) {
  std::vector<Place> out;
  const double radius = std::max(1.0, switches / (2 * std::numbers::pi));
  for (std::uint32_t s = 0; s < switches; ++s) {
    out.push_back(on_circle(switches > 1 ? radius : 0, static_cast<double>(s) / switches));
  }
  return out;
}

// Fruchterman and Reingold ("Graph drawing by force-directed placement", 1991), from a circle, so without chance.
std::vector<Place> places_by_forces(const Graph& g) {
  std::vector<Place> at = circle_places(g.switches());
  const double n = g.switches();
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Place> force(at.size());
    const auto act = [&](SwitchId a, SwitchId b, auto&& strength) {
      const double dx = at[a].x - at[b].x;
      const double dy = at[a].y - at[b].y;
      const double distance = std::max(1e-3, std::hypot(dx, dy));
      const double f = strength(distance) / distance;
      force[a].x += dx * f;
      force[a].y += dy * f;
    };
    for (SwitchId a = 0; a < g.switches(); ++a) {
      for (SwitchId b = 0; b < g.switches(); ++b) {
        if (a != b) act(a, b, [](double d) { return 1 / d; });
      }
      for (PortId p = 0; p < g.ports(a); ++p) {
        const PortRef peer = g.peer(a, p);
        if (peer.sw != kNoId && peer.sw != a) act(a, peer.sw, [](double d) { return -d * d; });
      }
    }
    const double most = std::sqrt(n) * 0.3 * (1 - static_cast<double>(round) / kRounds);
    for (SwitchId s = 0; s < g.switches(); ++s) {
      const double length = std::max(1e-9, std::hypot(force[s].x, force[s].y));
      at[s].x += force[s].x / length * std::min(length, most);
      at[s].y += force[s].y / length * std::min(length, most);
    }
  }
  return at;
}

bool is_full_mesh(const Graph& g) {
  for (SwitchId s = 0; s < g.switches(); ++s) {
    std::uint32_t links = 0;
    for (PortId p = 0; p < g.ports(s); ++p) links += g.peer(s, p).sw != kNoId ? 1 : 0;
    if (links + 1 < g.switches()) return false;
  }
  return true;
}

std::vector<Place> switch_places(const Graph& g) {
  if (!g.grid().dims.empty()) return grid_places(g);
  if (g.tree().arity > 0) return tree_places(g);
  if (g.dragonfly().groups > 1) return group_places(g.dragonfly().groups, g.dragonfly().routers_per_group);
  if (is_full_mesh(g) || g.switches() > kMostByForces) return circle_places(g.switches());
  return places_by_forces(g);
}

// A fan of the nodes of each switch: to the lower right of a grid's, below a tree's, outwards from the middle of
// others.
std::vector<Place> node_places(const Graph& g, const std::vector<Place>& switches) {
  Place middle;
  for (const Place& p : switches) {
    middle.x += p.x / static_cast<double>(switches.size());
    middle.y += p.y / static_cast<double>(switches.size());
  }
  std::vector<std::uint32_t> count(g.switches());
  for (NodeId n = 0; n < g.nodes(); ++n) ++count[g.attachment(n).sw];
  std::vector<std::uint32_t> placed(g.switches());
  std::vector<Place> out;
  const bool grid = !g.grid().dims.empty();
  const bool tree = g.tree().arity > 0;
  for (NodeId n = 0; n < g.nodes(); ++n) {
    const SwitchId s = g.attachment(n).sw;
    const Place& at = switches[s];
    const double step = placed[s]++ - (count[s] - 1) / 2.0;
    if (tree) {
      out.push_back({at.x + step * 0.9 / count[s], at.y - 0.9});
      continue;
    }
    const double outward = g.switches() == 1 ? 0 : std::atan2(at.y - middle.y, at.x - middle.x);
    const double spread = g.switches() == 1 ? 2 * std::numbers::pi / count[s] : std::min(0.5, 2.4 / count[s]);
    const double angle = (grid ? -std::numbers::pi / 4 : outward) + step * spread;
    const double reach = g.switches() == 1 ? 1 : grid ? 0.36 : 0.55;
    out.push_back({at.x + reach * std::cos(angle), at.y + reach * std::sin(angle)});
  }
  return out;
}

// Links of a grid that would pass over switches: around a torus, and between planes.
NetworkView::Course course_of(const Graph& g, SwitchId a, SwitchId b, const std::vector<Place>& places) {
  if (g.grid().dims.empty()) return NetworkView::Course::straight;
  const std::vector<std::uint32_t>& dims = g.grid().dims;
  const std::uint32_t plane = dims[0] * (dims.size() > 1 ? dims[1] : 1);
  if (a / plane != b / plane) return NetworkView::Course::far;
  const double length = std::hypot(places[a].x - places[b].x, places[a].y - places[b].y);
  return length > 1.01 ? NetworkView::Course::bowed : NetworkView::Course::straight;
}

std::string direct_name(std::uint32_t from, std::uint32_t to) { return fmt::format("node[{}] -> node[{}]", from, to); }

// Directed links, those of nodes included.
std::size_t links_of(const Graph& g) {
  std::size_t out = std::size_t{g.nodes()} * g.node_links();
  for (SwitchId s = 0; s < g.switches(); ++s) {
    for (PortId p = 0; p < g.ports(s); ++p) out += g.is_free({s, p}) ? 0 : 1;
  }
  return out;
}

bool shows_groups(const Graph& g, std::size_t links) { return links > kMostLinks && g.dragonfly().groups > 1; }

// The groups of a dragonfly on a circle, with the links between them. Those within a group would be points.
// `direct`: nodes are the switches.
NetworkView groups_view(const Graph& g, std::size_t all_links, bool direct) {
  const std::uint32_t routers = g.dragonfly().routers_per_group;
  NetworkView view;
  view.title = g.name();
  view.switch_name = "group[]";
  view.merged = true;
  view.switches = circle_places(g.dragonfly().groups);
  view.all_links = all_links;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    for (PortId p = 0; p < g.ports(s); ++p) {
      const PortRef peer = g.peer(s, p);
      if (peer.sw == kNoId || peer.sw / routers == s / routers) continue;
      view.links.push_back(
          {s / routers, peer.sw / routers, direct ? direct_name(s, peer.sw) : g.link_name(g.out_link(s, p))});
    }
  }
  if (view.links.size() > kMostLinks) view.links.clear();
  return view;
}

}  // namespace

NetworkView network_view(const Graph& g) {
  NetworkView view;
  view.title = g.name();
  view.all_links = links_of(g);
  if (shows_groups(g, view.all_links)) return groups_view(g, view.all_links, false);
  if (g.switches() > kMostSwitches || g.switches() == 0) return view;
  view.switches = switch_places(g);
  view.node_name = g.node_pattern();
  if (g.nodes() <= kMostNodes) view.nodes = node_places(g, view.switches);
  if (view.all_links > kMostLinks) return view;
  for (SwitchId s = 0; s < g.switches(); ++s) {
    for (PortId p = 0; p < g.ports(s); ++p) {
      const PortRef peer = g.peer(s, p);
      const NodeId node = g.node_at(s, p);
      if (peer.sw != kNoId) {
        view.links.push_back({s, peer.sw, g.link_name(g.out_link(s, p)), course_of(g, s, peer.sw, view.switches)});
      } else if (node != kNoId && !view.nodes.empty()) {
        view.links.push_back({s, g.switches() + node, g.link_name(g.out_link(s, p))});
      }
    }
  }
  for (NodeId n = 0; n < g.nodes() && !view.nodes.empty(); ++n) {
    for (std::uint32_t i = 0; i < g.node_links(); ++i) {
      view.links.push_back({g.switches() + n, g.attachment(n).sw, g.link_name(g.injection_link(n, i))});
    }
  }
  return view;
}

NetworkView direct_network_view(const Graph& g) {
  const std::size_t links = links_of(g) - 2 * std::size_t{g.nodes()};
  if (shows_groups(g, links)) return groups_view(g, links, true);
  NetworkView view = network_view(g);
  view.switch_name = "node[]";
  view.nodes.clear();
  view.all_links = links;
  std::erase_if(view.links, [&](const auto& l) { return l.from >= g.switches() || l.to >= g.switches(); });
  for (NetworkView::Link& l : view.links) l.name = direct_name(l.from, l.to);
  return view;
}

NetworkView link_view(const std::string& title, std::uint32_t nodes, const std::vector<std::uint32_t>& dims,
                      const std::vector<NamedLink>& links) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> cables;
  std::vector<PortId> ports(nodes);
  for (const NamedLink& l : links) {
    if (!cables.emplace(std::minmax(l.from, l.to)).second) continue;
    ++ports[l.from];
    ++ports[l.to];
  }
  Graph g(title);
  for (const PortId p : ports) g.add_switch(p);
  for (const auto& [a, b] : cables) {
    g.connect({a, --ports[a]}, {b, --ports[b]});
  }
  if (!dims.empty()) g.set_grid({dims});
  NetworkView view;
  view.title = title;
  view.switch_name = "node[]";
  view.all_links = links.size();
  if (nodes > kMostSwitches || nodes == 0) return view;
  view.switches = switch_places(g);
  if (links.size() > kMostLinks) return view;
  for (const NamedLink& l : links) {
    view.links.push_back({l.from, l.to, l.name, course_of(g, l.from, l.to, view.switches)});
  }
  return view;
}

}  // namespace weft

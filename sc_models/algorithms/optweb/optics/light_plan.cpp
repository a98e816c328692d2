#include "algorithms/optweb/optics/light_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace weft::optweb {
namespace {

constexpr double kHundredths = 100;
constexpr double kTenthsOfGhzPerThz = 1e4;
constexpr double kNmThz = 299'792.458;  // speed of light
constexpr double kCmPerKm = 1e5;
constexpr double kRounding = 1e-9;  // dB

bool by_wavelength(const LightConfig& config) { return config.wiring == OptwebWiring::w_oh; }

double decibel(double ratio) { return 10 * std::log10(ratio); }

double nm_of(std::int64_t tenths_of_ghz) { return kNmThz * kTenthsOfGhzPerThz / static_cast<double>(tenths_of_ghz); }

// Cables are evenly longer from the first node to the last.
double cable_loss(const LightConfig& c, NodeId node, std::uint32_t nodes) {
  const double share = nodes > 1 ? static_cast<double>(node) / (nodes - 1) : 0;
  const double cm = static_cast<double>(c.shortest) + share * static_cast<double>(c.longest - c.shortest);
  return cm / kCmPerKm * static_cast<double>(c.fibre_loss) / kHundredths;
}

// Distance of a port from the middle of its side: 0 to 1.
double off_centre(NodeId port, std::uint32_t nodes) {
  return nodes > 1 ? std::abs(2.0 * port - (nodes - 1)) / (nodes - 1) : 0;
}

// Both free-propagation regions of an AWG have a far field close to Gaussian: in dB the loss grows with the square of
// the distance from the centre. Each side has half of the loss.
double router_loss(const LightConfig& c, const LightPlan& plan, NodeId from, NodeId to) {
  if (c.router == LightRouter::coupler) return decibel(plan.nodes);
  const double in = off_centre(from, plan.nodes);
  const double out = off_centre(to, plan.nodes);
  return static_cast<double>(c.edge_loss) / kHundredths * (in * in + out * out) / 2;
}

std::uint32_t coupler_wavelength(std::uint32_t pair, std::uint32_t lane, std::uint32_t lanes) {
  return pair * lanes + lane;
}

}  // namespace

std::uint32_t light_lanes(Rate bandwidth, std::uint32_t nodes, Rate lane) {
  const std::int64_t per_link = (bandwidth.bits_per_s + nodes - 1) / nodes;
  return static_cast<std::uint32_t>((per_link + lane.bits_per_s - 1) / lane.bits_per_s);
}

double wavelength_nm(const LightConfig& config, std::uint32_t c) {
  return nm_of(config.first - std::int64_t{c} * config.spacing);
}

std::uint32_t band_wavelengths(const LightConfig& config) {
  const double last = nm_of(config.first) + static_cast<double>(config.band) / kHundredths;
  const double lowest = kNmThz * kTenthsOfGhzPerThz / last;
  const double steps = (static_cast<double>(config.first) - lowest) / static_cast<double>(config.spacing);
  return static_cast<std::uint32_t>(std::floor(steps + kRounding)) + 1;
}

LightPlan light_plan(const LightConfig& config, std::uint32_t nodes, Rate bandwidth) {
  LightPlan out;
  out.nodes = nodes;
  out.lanes = light_lanes(bandwidth, nodes, config.lane);
  out.links.reserve(std::size_t{nodes} * (nodes - 1));
  const bool waves = by_wavelength(config);
  const bool awg = config.router == LightRouter::awg;
  std::uint32_t pair = 0;
  for (NodeId from = 0; from < nodes; ++from) {
    for (NodeId to = 0; to < nodes; ++to) {
      if (from == to) continue;
      LightLink& link = out.links.emplace_back(LightLink{from, to, {}});
      for (std::uint32_t lane = 0; lane < out.lanes; ++lane) {
        if (!waves) {
          link.wavelengths.push_back(0);
        } else if (awg) {
          link.wavelengths.push_back((to + nodes - from) % nodes + lane * nodes);
        } else {
          link.wavelengths.push_back(coupler_wavelength(pair, lane, out.lanes));
        }
      }
      ++pair;
    }
  }
  const std::uint32_t per_node = (nodes - 1) * out.lanes;
  out.per_node = waves ? per_node : 1;
  out.sources = !waves ? 1 : awg ? per_node : nodes * per_node;
  out.per_output = !waves ? 1 : awg ? per_node : out.sources;
  out.wavelengths = !waves ? 1 : awg ? nodes * out.lanes : out.sources;
  return out;
}

std::string light_plan_fault(const LightConfig& config, const LightPlan& plan) {
  if (plan.links.size() != std::size_t{plan.nodes} * (plan.nodes - 1)) return "pairs of nodes are missing";
  const bool waves = by_wavelength(config);
  const bool awg = waves && config.router == LightRouter::awg;
  std::set<std::pair<NodeId, std::uint32_t>> sent;
  std::set<std::pair<NodeId, std::uint32_t>> received;
  for (const LightLink& l : plan.links) {
    if (l.wavelengths.size() != plan.lanes) return fmt::format("link {} -> {} lacks lanes", l.from, l.to);
    for (const std::uint32_t c : l.wavelengths) {
      if (!waves) continue;
      if (awg && (l.from + c) % plan.nodes != l.to) {
        return fmt::format("wavelength {} of node {} comes to node {}, not {}", c, l.from, (l.from + c) % plan.nodes,
                           l.to);
      }
      // A coupler merges all its inputs, so there a wavelength has one sender in the whole network.
      const NodeId out = awg ? l.from : 0;
      const NodeId in = awg ? l.to : 0;
      if (!sent.insert({out, c}).second) return fmt::format("wavelength {} twice in the fibre of node {}", c, l.from);
      if (!received.insert({in, c}).second) return fmt::format("wavelength {} twice in the fibre to node {}", c, l.to);
    }
  }
  return {};
}

bool LightBudget::closes() const { return spare >= -kRounding && headroom >= -kRounding; }

const std::vector<LightStage>& light_path(const LightConfig& config) {
  return by_wavelength(config) ? config.path : config.fibre_path;
}

LightBudget light_budget(const LightConfig& config, const LightPlan& plan, NodeId from, NodeId to) {
  LightBudget out;
  out.from = from;
  out.to = to;
  double power = static_cast<double>(config.launch) / kHundredths;
  bool routed = false;
  for (const LightStage& s : light_path(config)) {
    double change = 0 - static_cast<double>(s.loss) / kHundredths;  // no -0
    const std::uint32_t node_carries = routed ? plan.per_output : plan.per_node;
    const double carried = decibel(s.carries == LightCarries::network ? plan.sources : node_carries);
    switch (s.kind) {
      case LightKind::fixed:
        break;
      case LightKind::amplifier:
        change += static_cast<double>(s.gain) / kHundredths;
        change = std::min(change, static_cast<double>(s.most_output) / kHundredths - carried - power);
        if (s.level) change = std::min(change, static_cast<double>(*s.level) / kHundredths - power);
        break;
      case LightKind::split_over_nodes:
        change -= decibel(plan.nodes);
        break;
      case LightKind::router:
        change -= router_loss(config, plan, from, to);
        routed = true;
        break;
      case LightKind::cable_out:
        change -= cable_loss(config, from, plan.nodes);
        break;
      case LightKind::cable_in:
        change -= cable_loss(config, to, plan.nodes);
        break;
    }
    power += change;
    const std::uint32_t behind = routed ? plan.per_output : plan.per_node;
    out.levels.push_back({change, power, power + decibel(s.carries == LightCarries::network ? plan.sources : behind)});
  }
  out.received = power;
  out.margin = power - static_cast<double>(config.sensitivity) / kHundredths;
  out.spare = out.margin - static_cast<double>(config.margin) / kHundredths;
  out.headroom = static_cast<double>(config.overload) / kHundredths - power;
  return out;
}

LightExtremes light_extremes(const LightConfig& config, const LightPlan& plan) {
  LightExtremes out{light_budget(config, plan, 0, 1), light_budget(config, plan, 0, 1)};
  for (const LightLink& l : plan.links) {
    const LightBudget b = light_budget(config, plan, l.from, l.to);
    if (b.spare < out.weakest.spare - kRounding) out.weakest = b;
    if (b.headroom < out.strongest.headroom - kRounding) out.strongest = b;
  }
  return out;
}

std::optional<std::uint32_t> largest_light(const LightConfig& config, Rate bandwidth, std::uint32_t most) {
  const std::uint32_t band = band_wavelengths(config);
  for (std::uint32_t n = most; n >= 2; --n) {
    const std::uint32_t lanes = light_lanes(bandwidth, n, config.lane);
    const std::uint64_t pairs = std::uint64_t{n} * (n - 1);
    const std::uint64_t needed = config.router == LightRouter::awg ? n : pairs;
    if (by_wavelength(config) && needed * lanes > band) continue;
    if (light_extremes(config, light_plan(config, n, bandwidth)).close()) return n;
  }
  return std::nullopt;
}

double light_pieces(const LightStage& stage, const LightPlan& plan) {
  switch (stage.pieces) {
    case LightPieces::none:
      return 0;
    case LightPieces::per_network:
      return 1.0 / plan.nodes;
    case LightPieces::per_node:
      return 1;
    case LightPieces::per_wavelength:
      return static_cast<double>(plan.sources) / plan.nodes;
  }
  return 0;
}

}  // namespace weft::optweb

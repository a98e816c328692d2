#include "algorithms/optweb/cost.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/diagnostics.h"

namespace weft::optweb {
namespace {

constexpr double kCents = 100;
constexpr double kPpm = 1e6;
constexpr double kThousandths = 1000;

double dollars(std::uint64_t cents) { return static_cast<double>(cents) / kCents; }

double gbps(const OptwebCostConfig& c) { return static_cast<double>(c.node_bandwidth.bits_per_s) / 1e9; }

double fpga_per_gbps(const OptwebCostConfig& c, std::uint64_t share_ppm) {
  return dollars(c.fpga_price) * static_cast<double>(share_ppm) / kPpm / gbps(c);
}

// An OPTWEB network; `wiring` is what connects the transceivers.
NetworkCost optweb(const OptwebCostConfig& c, const std::string& name, const CostPart& wiring, std::uint64_t share) {
  return {name, {{"transceiver", dollars(c.transceiver)}, wiring, {"FPGA", fpga_per_gbps(c, share)}}};
}

}  // namespace

const char* wiring_name(Wiring wiring) {
  constexpr const char* kNames[] = {"direct", "P-OH", "W-OH"};
  return kNames[static_cast<std::size_t>(wiring)];
}

std::uint64_t fibres(Wiring wiring, std::uint64_t nodes) {
  return wiring == Wiring::w_oh ? 2 * nodes : nodes * (nodes - 1);
}

double NetworkCost::total() const {
  return std::accumulate(parts.begin(), parts.end(), 0.0,
                         [](double sum, const CostPart& p) { return sum + p.per_gbps; });
}

double parts_per_gbps(const OptwebCostConfig& config) {
  double sum = 0;
  for (const OptwebPart& p : config.parts) sum += dollars(p.price) * static_cast<double>(p.per_node) / kThousandths;
  return sum / gbps(config);
}

double optics_per_gbps(const OptwebCostConfig& config) {
  return config.optics ? dollars(*config.optics) : parts_per_gbps(config);
}

std::vector<NetworkCost> network_costs(const OptwebCostConfig& config) {
  const double capacity = gbps(config) * config.nodes;
  const CostPart optics{"light sources, filters, EDFAs, splitters", optics_per_gbps(config)};
  std::vector<NetworkCost> out{{"packet network", {{"adapters, switches, cables", dollars(config.packet_network)}}},
                               optweb(config, "OPTWEB, W-OH", optics, config.fpga_share)};
  for (const Wiring w : {Wiring::p_oh, Wiring::direct}) {
    const auto cost = wiring_cost(config, w, config.nodes);
    if (cost)
      out.push_back(
          optweb(config, std::string("OPTWEB, ") + wiring_name(w), {"fibres", *cost / capacity}, config.fpga_share));
  }
  out.push_back(optweb(config, "OPTWEB, W-OH by ALMs", optics, config.fpga_alms));
  const double packet = out.front().total();
  for (NetworkCost& n : out) {
    if (packet > 0) n.saving = 1 - n.total() / packet;
  }
  return out;
}

std::optional<double> wiring_cost(const OptwebCostConfig& config, Wiring wiring, std::uint64_t nodes) {
  const auto count = static_cast<double>(fibres(wiring, nodes));
  switch (wiring) {
    case Wiring::direct:
      return config.direct_fibre ? std::optional(dollars(*config.direct_fibre) * count) : std::nullopt;
    case Wiring::p_oh:
      return dollars(config.fibre) * count;
    case Wiring::w_oh:
      return optics_per_gbps(config) * gbps(config) * static_cast<double>(nodes);
  }
  return std::nullopt;
}

bool full_mesh_possible(const OptwebCostConfig& config) {
  return config.nodes - 1 <= config.links && config.nodes <= kMostPlannedNodes;
}

std::optional<LightPlan> planned_light(const OptwebCostConfig& config) {
  if (!full_mesh_possible(config)) return std::nullopt;
  LightPlan plan = light_plan(config.light, config.nodes, config.node_bandwidth);
  if (const std::string fault = light_plan_fault(config.light, plan); !fault.empty()) {
    throw RunError("wavelength plan: " + fault);
  }
  return plan;
}

std::vector<CostMove> cost_moves(const OptwebCostConfig& config) {
  struct Input {
    std::string key;
    std::function<std::uint64_t*(OptwebCostConfig&)> value;
    std::uint64_t most = ~std::uint64_t{0};
  };
  std::vector<Input> inputs{{"packet_network", [](OptwebCostConfig& c) { return &c.packet_network; }},
                            {"transceiver", [](OptwebCostConfig& c) { return &c.transceiver; }}};
  if (config.optics) {
    inputs.push_back({"optics", [](OptwebCostConfig& c) { return &*c.optics; }});
  } else {
    for (std::size_t i = 0; i < config.parts.size(); ++i) {
      inputs.push_back({"parts." + config.parts[i].name, [i](OptwebCostConfig& c) { return &c.parts[i].price; }});
    }
  }
  inputs.push_back({"fpga.price", [](OptwebCostConfig& c) { return &c.fpga_price; }});
  inputs.push_back({"fpga.share", [](OptwebCostConfig& c) { return &c.fpga_share; }, static_cast<std::uint64_t>(kPpm)});
  inputs.push_back({"fibre", [](OptwebCostConfig& c) { return &c.fibre; }});

  std::vector<CostMove> out;
  for (const Input& input : inputs) {
    OptwebCostConfig changed = config;
    const std::uint64_t value = *input.value(changed);
    const auto moved = [&](double factor) {
      const auto to = static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * factor));
      *input.value(changed) = std::min(to, input.most);
      return value == 0 ? 1 : static_cast<double>(*input.value(changed)) / static_cast<double>(value);
    };
    const double share = static_cast<double>(config.change) / kPpm;
    CostMove& move = out.emplace_back();
    move.key = input.key;
    move.low = moved(1 - share);
    move.at_low = network_costs(changed)[1];
    move.crossing_low = wiring_crossing(changed);
    move.high = moved(1 + share);
    move.at_high = network_costs(changed)[1];
    move.crossing_high = wiring_crossing(changed);
  }
  return out;
}

double pieces_in_plan(const OptwebCostConfig& config, const LightPlan& plan, const std::string& part) {
  double sum = 0;
  for (const LightStage& s : light_path(config.light)) sum += s.part == part ? light_pieces(s, plan) : 0;
  return sum;
}

std::optional<double> plan_per_gbps(const OptwebCostConfig& config, const LightPlan& plan) {
  double sum = 0;
  for (const LightStage& s : light_path(config.light)) {
    if (s.part.empty()) continue;
    const auto part =
        std::find_if(config.parts.begin(), config.parts.end(), [&](const OptwebPart& p) { return p.name == s.part; });
    if (part == config.parts.end()) return std::nullopt;
    sum += dollars(part->price) * light_pieces(s, plan);
  }
  return sum / gbps(config);
}

std::optional<double> wiring_crossing(const OptwebCostConfig& config) {
  if (config.fibre == 0) return std::nullopt;
  return 1 + optics_per_gbps(config) * gbps(config) / dollars(config.fibre);
}

std::uint64_t dragonfly_nodes(std::uint32_t groups, std::uint32_t links) {
  return std::uint64_t{groups} * (links + 2 - groups);
}

bool dragonfly_balanced(std::uint32_t groups, std::uint32_t links) { return links >= 3 * (std::uint64_t{groups} - 1); }

std::uint32_t largest_dragonfly_groups(std::uint32_t links) { return links / 3 + 1; }

}  // namespace weft::optweb

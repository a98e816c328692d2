#include "algorithms/optweb/cost.h"

#include <numeric>

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

#pragma once
// Prices and parts of an OPTWEB network, as `weft optweb cost` reads them. The defaults are the figures of the OPTWEB
// paper, section 5.1, where it states any.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace weft {

/// Prices are whole cents, shares parts per million.
struct OptwebPart {
  std::string name;
  std::uint64_t price = 0;     ///< cents a piece
  std::uint64_t per_node = 0;  ///< pieces per node, thousandths
};

struct OptwebCostConfig {
  std::string file;
  std::string title;
  std::uint32_t nodes = 0;
  Rate node_bandwidth;
  std::uint64_t packet_network = 0;           ///< cents per Gb/s
  std::uint64_t transceiver = 0;              ///< cents per Gb/s
  std::optional<std::uint64_t> optics;        ///< cents per Gb/s; else by the parts
  std::vector<OptwebPart> parts;              ///< of the shared optics of W-OH
  std::uint64_t fpga_price = 0;               ///< cents
  std::uint64_t fpga_share = 0;               ///< of the device that the network is charged for, ppm
  std::uint64_t fpga_alms = 0;                ///< stated share of its logic that the network takes, ppm
  std::uint64_t fibre = 0;                    ///< cents per fibre of P-OH
  std::optional<std::uint64_t> direct_fibre;  ///< cents per fibre of direct wiring
  std::uint32_t most_nodes = 0;               ///< end of the curves
  std::uint32_t links = 0;                    ///< k, links of an FPGA in a dragonfly
};

}  // namespace weft

#pragma once
// Wavelength plan and power budget of a fully connected optical network.
//
//   direct, P-OH  a fibre per lane from every node to every other, one wavelength
//   W-OH, AWG     a fibre from every node to the router and one back; wavelength c that enters input i leaves output
//                 (i + c) mod N, so node i reaches node j with the wavelengths (j - i) mod N + k N, one per lane k
//   W-OH, coupler the same fibres; every output gets every wavelength, so each lane of each pair has one of its own

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/optics/light_config.h"
#include "base/ids.h"

namespace weft::optweb {

/// Light from one node to another.
struct LightLink {
  NodeId from = 0;
  NodeId to = 0;
  std::vector<std::uint32_t> wavelengths;  ///< one per lane; with direct wiring and P-OH wavelength 0 in each fibre
};

struct LightPlan {
  std::uint32_t nodes = 0;
  std::uint32_t lanes = 0;        ///< of a link
  std::uint32_t wavelengths = 0;  ///< the plan's highest and 1: what the band has to hold
  std::uint32_t sources = 0;      ///< different wavelengths in use
  std::uint32_t per_node = 0;     ///< wavelengths in the fibre of a node to the hub
  std::uint32_t per_output = 0;   ///< in the fibre of the hub to a node
  std::vector<LightLink> links;   ///< by sender, then by receiver
};

/// Lanes of a link of a node with `bandwidth` for `nodes` links, its own included.
std::uint32_t light_lanes(Rate bandwidth, std::uint32_t nodes, Rate lane);
/// Wavelengths that fit into the band.
std::uint32_t band_wavelengths(const LightConfig& config);
/// Wavelength number c, in nm.
double wavelength_nm(const LightConfig& config, std::uint32_t c);

LightPlan light_plan(const LightConfig& config, std::uint32_t nodes, Rate bandwidth);
/// What is wrong with a plan: a wavelength twice in one fibre, a wavelength that the router takes to another node, a
/// pair without its lanes. Empty for the plans of light_plan().
std::string light_plan_fault(const LightConfig& config, const LightPlan& plan);

/// Level of one wavelength behind a stage.
struct LightLevel {
  double change = 0;  ///< dB
  double power = 0;   ///< dBm
  double total = 0;   ///< dBm of all wavelengths in that fibre
};

/// Power of a wavelength on its way from node to node.
struct LightBudget {
  NodeId from = 0;
  NodeId to = 0;
  std::vector<LightLevel> levels;  ///< as many as there are stages
  double received = 0;             ///< dBm
  double margin = 0;               ///< dB above the sensitivity
  double spare = 0;                ///< dB above sensitivity and required margin; negative: does not close
  double headroom = 0;             ///< dB below the overload; negative: too much light
  bool closes() const;
};

/// The stages of the wiring.
const std::vector<LightStage>& light_path(const LightConfig& config);
LightBudget light_budget(const LightConfig& config, const LightPlan& plan, NodeId from, NodeId to);

/// The links with the least spare power and with the least headroom.
struct LightExtremes {
  LightBudget weakest;
  LightBudget strongest;
  bool close() const { return weakest.closes() && strongest.closes(); }
};
LightExtremes light_extremes(const LightConfig& config, const LightPlan& plan);

/// Largest number of nodes, up to `most`, whose wavelengths fit into the band and whose budget closes. None: not even
/// two.
std::optional<std::uint32_t> largest_light(const LightConfig& config, Rate bandwidth, std::uint32_t most);

/// Pieces of a stage's part per node.
double light_pieces(const LightStage& stage, const LightPlan& plan);

}  // namespace weft::optweb

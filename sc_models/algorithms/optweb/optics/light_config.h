#pragma once
// Parameters of the optics of a fully connected network: wavelengths, and the parts that light passes from its source
// to a receiver. Levels and losses are hundredths of a dB or dBm, frequencies tenths of a GHz, lengths centimetres.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/optweb_config.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

/// Router inside a wavelength-routing optical hub: a cyclic arrayed-waveguide grating, where the wavelength selects the
/// output, or a star coupler, which gives every output all wavelengths.
enum class LightRouter { awg, coupler };
template <>
inline constexpr auto kWords<LightRouter> = words("awg", "coupler");

/// What a stage does besides its fixed loss.
enum class LightKind { fixed, amplifier, split_over_nodes, router, cable_out, cable_in };
template <>
inline constexpr auto kWords<LightKind> = words("fixed", "amplifier", "split_over_nodes", "router", "cable_out",
                                                "cable_in");

/// Fibre in which a stage stands: one with the wavelengths of the whole network, or with those of one node.
enum class LightCarries { network, node };
template <>
inline constexpr auto kWords<LightCarries> = words("network", "node");

/// Number of pieces of a part that a network needs.
enum class LightPieces { none, per_network, per_node, per_wavelength };
template <>
inline constexpr auto kWords<LightPieces> = words("none", "per_network", "per_node", "per_wavelength");

/// One stage on the path of the light.
struct LightStage {
  std::string name;
  std::string part;  ///< in the list of prices; empty: in the price of another part
  LightKind kind = LightKind::fixed;
  std::int64_t loss = 0;                ///< besides that of splitting and cables
  std::int64_t gain = 0;                ///< of an amplifier
  std::int64_t most_output = 0;         ///< dBm of all wavelengths together, of an amplifier
  std::optional<std::int64_t> level{};  ///< dBm that an amplifier brings a wavelength to at most
  LightCarries carries = LightCarries::node;
  LightPieces pieces = LightPieces::none;
  std::string source;
};

struct LightConfig {
  OptwebWiring wiring = OptwebWiring::w_oh;
  LightRouter router = LightRouter::awg;
  Rate lane;                           ///< of one wavelength, or of one fibre
  std::int64_t first = 0;              ///< frequency of wavelength 0, the highest
  std::int64_t spacing = 0;            ///< between neighbouring wavelengths
  std::int64_t band = 0;               ///< hundredths of a nm that wavelengths may span
  std::int64_t launch = 0;             ///< dBm of a wavelength at its source
  std::int64_t sensitivity = 0;        ///< dBm
  std::int64_t overload = 0;           ///< dBm
  std::int64_t margin = 0;             ///< dB that a link must have above the sensitivity
  std::int64_t edge_loss = 0;          ///< dB more between two outermost ports of an AWG than between central ones
  std::int64_t shortest = 0;           ///< cable of node 0 to the hub
  std::int64_t longest = 0;            ///< cable of the last node
  std::int64_t fibre_loss = 0;         ///< dB per km
  std::vector<LightStage> path;        ///< W-OH
  std::vector<LightStage> fibre_path;  ///< direct wiring and P-OH
};

}  // namespace weft

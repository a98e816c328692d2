#pragma once
// Cost and wiring of an OPTWEB network: cost per Gb/s by its parts, fibres of the three wirings, the number
// of nodes from which W-OH is the cheaper one, and the sizes of dragonflies of OPTWEB groups. Source: Mizutani et al.,
// "OPTWEB: A Lightweight Fully Connected Inter-FPGA Network for Efficient Collectives", sections 5.1 and 5.3.
//
//   direct  a fibre from every FPGA to every other
//   P-OH    parallel optical hub: the same fibres as a sheet behind multi-fibre connectors
//   W-OH    wavelength-routing optical hub: a fibre to the hub and one back, a wavelength per destination

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/optics/light_config.h"
#include "algorithms/optweb/optics/light_plan.h"
#include "algorithms/optweb/optweb_config.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

/// Prices are whole cents, shares parts per million.
struct OptwebPart {
  std::string name;
  std::uint64_t price = 0;     ///< cents a piece
  std::uint64_t per_node = 0;  ///< pieces per node, thousandths
};

/// Where a figure comes from: stated by the paper, fitted to a result that the paper states, literature or a vendor's
/// data, chosen by Weft, given by the user.
enum class CostOrigin { stated, fitted, literature, ours, given };
template <>
inline constexpr auto kWords<CostOrigin> = words("stated", "fitted", "literature", "ours", "given");

/// A figure that results follow from.
struct CostInput {
  std::string key;
  std::string value;  ///< as text
  CostOrigin origin = CostOrigin::given;
  std::string source;
};

/// Logic of an FPGA by its size, as synthesis gives it.
struct OptwebBlock {
  std::string name;
  std::uint64_t alms = 0;   ///< of one
  std::uint32_t count = 1;  ///< per FPGA
  std::uint64_t all() const { return alms * count; }
};

/// Prices and parts of a network, as `weft optweb cost` reads them. The defaults are the figures of the paper,
/// section 5.1, where it states any.
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
  std::uint64_t fpga_alms = 0;                ///< share of its logic that the network takes, ppm: stated, or by blocks
  std::uint64_t fpga_size = 0;                ///< its ALMs
  std::vector<OptwebBlock> blocks;            ///< of its logic; fpga_alms is their sum then
  std::uint64_t fibre = 0;                    ///< cents per fibre of P-OH
  std::optional<std::uint64_t> direct_fibre;  ///< cents per fibre of direct wiring
  std::uint32_t most_nodes = 0;               ///< end of the curves
  std::uint32_t links = 0;                    ///< k, links of an FPGA in a dragonfly
  std::uint64_t change = 0;                   ///< of each input in the sensitivity table, ppm
  LightConfig light;
  std::vector<CostInput> inputs;
};

}  // namespace weft

namespace weft::optweb {

using Wiring = OptwebWiring;
/// Its name in texts: "direct", "P-OH", "W-OH".
const char* wiring_name(Wiring wiring);

/// Fibres of `nodes` fully connected FPGAs, one per direction: N(N-1), or 2N with W-OH.
std::uint64_t fibres(Wiring wiring, std::uint64_t nodes);

struct CostPart {
  std::string name;
  double per_gbps = 0;  ///< $ per Gb/s of node bandwidth
};

struct NetworkCost {
  std::string name;
  std::vector<CostPart> parts;
  double total() const;               ///< $ per Gb/s
  std::optional<double> saving = {};  ///< of the packet network's cost, 1 = all of it; none when it costs nothing
};

/// Cost per Gb/s of the packet network, and of OPTWEB with W-OH, P-OH and, with a price for its fibres, direct wiring;
/// last W-OH with the FPGA charged by the logic that the network uses.
std::vector<NetworkCost> network_costs(const OptwebCostConfig& config);

/// Most nodes for which a wavelength plan is made.
inline constexpr std::uint32_t kMostPlannedNodes = 256;
/// Whether FPGAs have the links of a full mesh, which is small enough for a plan.
bool full_mesh_possible(const OptwebCostConfig& config);
/// The wavelength plan, if the full mesh is possible.
std::optional<LightPlan> planned_light(const OptwebCostConfig& config);

/// Totals of a configuration in which one input has another value.
struct CostMove {
  std::string key;
  double low = 0;  ///< the input, as a part of its value
  double high = 0;
  NetworkCost at_low;  ///< OPTWEB with W-OH
  NetworkCost at_high;
  std::optional<double> crossing_low;
  std::optional<double> crossing_high;
};
/// Each input that the cost depends on, changed by `config.change` down and up; a share stays within the device.
std::vector<CostMove> cost_moves(const OptwebCostConfig& config);

/// Pieces per node of a part in the path of the light.
double pieces_in_plan(const OptwebCostConfig& config, const LightPlan& plan, const std::string& part);
/// $ per Gb/s of the parts in the path of the light, as many as the plan needs. None without a price for one of them.
std::optional<double> plan_per_gbps(const OptwebCostConfig& config, const LightPlan& plan);

/// $ per Gb/s of W-OH's shared optics: as stated, or the sum of the parts.
double optics_per_gbps(const OptwebCostConfig& config);
/// The sum of the parts alone.
double parts_per_gbps(const OptwebCostConfig& config);

/// $ of the wiring of a whole network: fibres of P-OH and direct, optics of W-OH. None for direct without a price.
std::optional<double> wiring_cost(const OptwebCostConfig& config, Wiring wiring, std::uint64_t nodes);

/// Nodes at which P-OH and W-OH cost the same: 1 + (optics of a node) / (price of a fibre); none when fibres cost
/// nothing.
std::optional<double> wiring_crossing(const OptwebCostConfig& config);

/// Dragonfly of g groups of fully connected FPGAs with k links each: k - g + 2 FPGAs in a group, each with one link to
/// every other group. Any two FPGAs are at most two hops apart. Precondition: 1 <= g <= k + 1.
std::uint64_t dragonfly_nodes(std::uint32_t groups, std::uint32_t links);
/// The paper asks for k >= 3(g-1).
bool dragonfly_balanced(std::uint32_t groups, std::uint32_t links);
/// Groups of the largest balanced dragonfly with that many links: floor(k/3) + 1.
std::uint32_t largest_dragonfly_groups(std::uint32_t links);

}  // namespace weft::optweb

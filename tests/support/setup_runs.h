#pragma once
// Networks in which circuits come and go, built without a configuration file, and everything that can be checked of a
// run from outside: what each word did on its way, and whether the slot LUTs agree with the circuits in every cycle.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fabrics/tdm/setup/setup_network.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology_config.h"

namespace weft::test {

struct SetupCase {
  TopologyConfig topology;
  RoutingConfig routing;
  TdmSwitchConfig tdm_switch;
  SetupConfig setup;
  std::uint64_t seed = 1;
  std::vector<TimedFlow> flows;
  std::vector<Fault> faults;
};

/// A line of `switches` switches with `slots` slots, one cycle for everything that takes time.
SetupCase line(std::uint32_t switches, std::uint32_t slots);
/// One message of `words` words.
TimedFlow one_message(NodeId source, NodeId destination, std::uint32_t words, Cycle start = 0, std::uint32_t slots = 1);
/// The same to several destinations.
TimedFlow multicast(NodeId source, std::vector<NodeId> destinations, std::uint32_t words, Cycle start = 0,
                    std::uint32_t slots = 1);

struct SetupOutcome {
  std::string failure;                  ///< of the run, or what the checks have found; empty: all is well
  std::vector<FlowLog> logs;            ///< per flow
  std::vector<std::uint64_t> received;  ///< of all destinations
  std::vector<std::uint64_t> dropped;
  std::vector<Cycle> last_delivery;
  std::vector<std::uint64_t> taken_of_refused;                ///< words behind refused requests that failures took
  std::vector<std::map<std::uint32_t, std::uint64_t>> taken;  ///< words that links took, by failure
  struct End {
    std::uint64_t received = 0;
    std::uint64_t dropped = 0;
    Cycle first_word = -1;
    Cycle last_delivery = -1;
  };
  std::vector<std::vector<End>> ends;  ///< per flow and destination
  std::string trace;                   ///< every word and every slot LUT request, as text
  Cycle cycles = 0;
};

/// Runs the case in this process (which can run only one) and checks it. `shuffle`: serve modules in random order.
SetupOutcome run_setup_case(const SetupCase& setup, std::optional<std::uint64_t> shuffle = {});

}  // namespace weft::test

#pragma once
// Networks in which circuits come and go, built without a configuration file, and everything that can be checked of a
// run from outside: what each word did on its way, and whether the slot LUTs agree with the circuits in every cycle.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fabrics/tdm/setup/setup_network.h"
#include "network/link_adapters.h"
#include "network/routing/routing_config.h"
#include "network/topology/topologies.h"

namespace weft::test {

struct SetupCase {
  TopologyConfig topology;
  RoutingConfig routing;
  TdmSwitchConfig tdm_switch;
  SetupConfig setup;
  std::uint64_t seed = 1;
  std::vector<TimedFlow> flows;
  std::vector<Fault> faults;
  std::vector<AdapterConfig> adapters = {};
  bool bundles = false;      ///< switches choose the links of bundles
  bool slot_update = false;  ///< each switch chooses slots of its own
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

// Random networks in which circuits come and go.

enum class Random : std::uint8_t {
  plain,
  multicasts,   ///< some flows
  adapters,     ///< of links; and multicasts
  bundles,      ///< of links, from which switches choose; and multicasts
  slot_update,  ///< slots by switch; and multicasts, adapters and bundles
  node_links    ///< several between a node and its switch; and multicasts and bundles
};

/// A random case; the same seed gives the same.
SetupCase random_setup(std::uint64_t seed, Random kind = Random::plain);

// The outcome of a network in which circuits come and go, as JSON, so that it can come from a child process.

/// Runs a case in a child; its logs as JSON, or {"failure": ...}.
nlohmann::json setup_in_child(const SetupCase& setup, std::optional<std::uint64_t> shuffle = {});

// Random networks in which circuits come and go, seed by seed.

/// Sums of all runs; with multicasts alone, of flows with several destinations only.
struct SetupSoak {
  bool all = false;  ///< false: one seed only (WEFT_SEED), or a run was wrong
  std::uint64_t flows = 0;
  std::uint64_t refused = 0;  ///< for want of slots
  std::uint64_t late = 0;
  std::uint64_t lost = 0;
  std::uint64_t dropped = 0;           ///< words
  std::uint64_t taken_of_refused = 0;  ///< words behind refused requests that failures took
  std::uint64_t further = 0;           ///< additions accepted
};

/// Runs 120 seeds (more in a soak), or that of WEFT_SEED, and fails the test at the first run with something wrong,
/// that depends on the order of modules in a cycle, or in which a failure of links that are down already is charged
/// with anything.
SetupSoak soak_setup(Random kind);
/// Fails the test unless refusals, late requests, failures and additions have come together; nothing for one seed.
void expect_all_kinds(const SetupSoak& sums);

}  // namespace weft::test

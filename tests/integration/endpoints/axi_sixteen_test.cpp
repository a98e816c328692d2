// Sixteen AXI4 managers and sixteen memories at the 32 nodes of packet networks: random bursts of all kinds, IDs that
// overtake each other, under a checker of the rules at every set of pins and at every socket, every byte compared.
// With WEFT_SOAK=n there are n runs of 4,000 bursts: 250 make a million.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "integration/endpoints/axi_station.h"
#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "support/axi_agents.h"
#include "support/child.h"
#include "support/tlm_checker.h"
#include "workload/axi/axi_manager.h"
#include "workload/axi/axi_subordinate.h"

namespace weft::test {
namespace {

using namespace endpoints;

using WidePins = axi::Signals<32, 64, 4>;
constexpr unsigned kPairs = 16;
constexpr unsigned kIdsOfEach = 8;
constexpr unsigned kPart = 128;  // bytes of an ID in a memory
constexpr unsigned kBytes = kPairs * kIdsOfEach * kPart;

// Managers at the even nodes, memories at the odd ones; reads on service 0, writes on service 1.
std::string sixteen_to_sixteen(const std::string& yaml, std::uint64_t bursts, std::uint64_t seed) {
  const auto design = design_of(yaml);
  const auto plan = design->plan();
  std::vector<NodeId> all(2 * kPairs);
  std::iota(all.begin(), all.end(), 0);
  TlmSystem network("network", *plan, all, {0, 1});
  const sc_core::sc_time cycle = network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);
  sc_core::sc_signal<bool> running("running", true);
  std::vector<std::unique_ptr<WidePins>> pins;
  std::vector<std::unique_ptr<TlmChecker>> tlm;
  std::vector<std::unique_ptr<AxiMemory>> memories;
  std::vector<std::unique_ptr<axi::ManagerPort<32, 64, 4>>> managers;
  std::vector<std::unique_ptr<AxiStation<WidePins, AxiMemory>>> behind;
  std::vector<std::unique_ptr<AxiTraffic>> sources;
  std::vector<std::unique_ptr<axi::SubordinatePort<32, 64, 4>>> subordinates;
  std::vector<std::unique_ptr<AxiStation<WidePins, AxiTraffic>>> before;
  for (unsigned i = 0; i < kPairs; ++i) {
    TlmBridge& target = network.node(2 * i + 1);
    network.map(i * 0x10000, kBytes, 2 * i + 1);
    target.configure({.approximately_timed = true});
    pins.push_back(std::make_unique<WidePins>(fmt::format("memory{}", i)));
    managers.push_back(
        std::make_unique<axi::ManagerPort<32, 64, 4>>(fmt::format("manager{}", i).c_str(), *pins.back()));
    managers.back()->clk(clock);
    managers.back()->rst_n(running);
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_target{}", i).c_str()));
    target.target_side.bind(tlm.back()->initiator);
    tlm.back()->target.bind(managers.back()->socket);
    memories.push_back(std::make_unique<AxiMemory>(WidePins::kBus, kBytes, seed + i));
    behind.push_back(std::make_unique<AxiStation<WidePins, AxiMemory>>(fmt::format("behind{}", i).c_str(), *pins.back(),
                                                                       *memories.back(), clock));

    pins.push_back(std::make_unique<WidePins>(fmt::format("source{}", i)));
    AxiPlan what;
    what.bus = WidePins::kBus;
    what.ids = kIdsOfEach;
    what.part = kPart;
    what.base = i * kIdsOfEach * kPart;
    what.stride = 0x10000;
    what.memories = kPairs;
    what.nobody = 0x900000;
    what.bursts = bursts;
    sources.push_back(std::make_unique<AxiTraffic>(what, seed));
    subordinates.push_back(
        std::make_unique<axi::SubordinatePort<32, 64, 4>>(fmt::format("subordinate{}", i).c_str(), *pins.back()));
    subordinates.back()->clk(clock);
    subordinates.back()->rst_n(running);
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_initiator{}", i).c_str()));
    subordinates.back()->socket.bind(tlm.back()->initiator);
    tlm.back()->target.bind(network.node(2 * i).initiator_side);
    before.push_back(std::make_unique<AxiStation<WidePins, AxiTraffic>>(fmt::format("before{}", i).c_str(),
                                                                        *pins.back(), *sources.back(), clock));
  }
  const auto answered = [&] {
    return std::accumulate(sources.begin(), sources.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& s) { return sum + s->answered; });
  };
  const std::uint64_t expected = kPairs * bursts;
  std::uint64_t last = 0;
  do {  // as long as answers come
    last = answered();
    sc_core::sc_start(2'000 * cycle);
  } while (answered() < expected && answered() > last);
  std::uint64_t overtaken = 0;
  for (const auto& s : sources) {
    if (!s->wrong.empty()) return s->wrong;
    overtaken += s->overtaken;
  }
  if (answered() != expected) return fmt::format("{} of {} answers", answered(), expected);
  for (const std::string& wrong : {trouble_of(tlm), trouble_of(before), trouble_of(behind)}) {
    if (!wrong.empty()) return wrong;
  }
  if (overtaken == 0) return "no burst has overtaken another";
  if (network.fabric().outstanding() != 0) return "something is left";
  return "";
}

TEST(AxiSixteenManagers, KeepTheRulesAndEveryByte) {
  const std::vector<std::string> networks = {packets("iq", "kind: mesh, dims: [8, 4]"),
                                             packets("ib", "kind: torus, dims: [8, 4]"),
                                             packets("opa", "kind: tree, arity: 2, levels: 5")};
  const auto runs = std::max<std::uint64_t>(soak(), networks.size());
  const std::uint64_t bursts = soak() > 1 ? 250 : 10;
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    const std::string& network = networks[(seed - 1) % networks.size()];
    const ChildResult child = in_child([&] { return sixteen_to_sixteen(network, bursts, seed); });
    ASSERT_TRUE(child.ok) << "seed " << seed << ": " << child.text;
    ASSERT_EQ(child.text, "") << "seed " << seed;
  }
  std::cout << fmt::format("compared: {} bursts of sixteen managers\n", runs * kPairs * bursts);
}

}  // namespace
}  // namespace weft::test

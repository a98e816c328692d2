// AXI4 managers and subordinates at the nodes of networks, by their pins: random bursts of all kinds under a checker of
// the rules on both sides, every byte compared; and the cycles that one burst takes.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/endpoints/axi_station.h"
#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "support/axi_agents.h"
#include "support/child.h"
#include "support/tlm_agents.h"
#include "support/tlm_checker.h"
#include "workload/axi/axi_manager.h"
#include "workload/axi/axi_subordinate.h"

namespace weft::test {
namespace {

using namespace endpoints;

constexpr unsigned kAxiMemory = 4096;
constexpr unsigned kIds = 8;

template <unsigned DataBits>
std::string traffic(const std::string& yaml, double clock_ratio, std::uint64_t seed) {
  using Pins = axi::Signals<40, DataBits, 3>;
  const auto design = design_of(yaml);
  const auto plan = design->plan();
  TlmSystem network("network", *plan, {0, 1, 2, 3, 4, 5});
  const sc_core::sc_time cycle = clock_ratio * network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);
  sc_core::sc_signal<bool> running("running", true);

  // Memories at nodes 3 to 5: two by pins, one by nb_transport.
  std::vector<std::unique_ptr<Pins>> pins;
  std::vector<std::unique_ptr<TlmChecker>> tlm;
  std::vector<std::unique_ptr<AxiMemory>> memories;
  std::vector<std::unique_ptr<axi::ManagerPort<40, DataBits, 3>>> managers;
  std::vector<std::unique_ptr<AxiStation<Pins, AxiMemory>>> behind;
  AtMemory plain("plain", kAxiMemory, seed, 20 * cycle);
  for (NodeId n = 3; n < 6; ++n) {
    network.map(n * 0x10000, kAxiMemory, n);
    network.node(n).configure({.approximately_timed = n != 4, .target_outstanding = 6});
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_target{}", n).c_str()));
    network.node(n).target_side.bind(tlm.back()->initiator);
    if (n == 5) {
      tlm.back()->target.bind(plain.socket);
      continue;
    }
    pins.push_back(std::make_unique<Pins>(fmt::format("memory{}", n)));
    managers.push_back(
        std::make_unique<axi::ManagerPort<40, DataBits, 3>>(fmt::format("manager{}", n).c_str(), *pins.back()));
    managers.back()->clk(clock);
    managers.back()->rst_n(running);
    tlm.back()->target.bind(managers.back()->socket);
    memories.push_back(std::make_unique<AxiMemory>(Pins::kBus, kAxiMemory, seed + n));
    behind.push_back(std::make_unique<AxiStation<Pins, AxiMemory>>(fmt::format("behind{}", n).c_str(), *pins.back(),
                                                                   *memories.back(), clock));
  }
  // Managers at nodes 0 to 2, each with its own bytes of every memory.
  std::vector<std::unique_ptr<AxiTraffic>> sources;
  std::vector<std::unique_ptr<axi::SubordinatePort<40, DataBits, 3>>> subordinates;
  std::vector<std::unique_ptr<AxiStation<Pins, AxiTraffic>>> before;
  for (NodeId n = 0; n < 3; ++n) {
    pins.push_back(std::make_unique<Pins>(fmt::format("source{}", n)));
    AxiPlan what;
    what.bus = Pins::kBus;
    what.ids = kIds;
    what.part = 128;
    what.base = 3 * 0x10000 + n * kIds * what.part;
    what.stride = 0x10000;
    what.memories = 3;
    what.nobody = 0x900000;
    what.bursts = 300;
    what.pause = 10 * n;
    sources.push_back(std::make_unique<AxiTraffic>(what, seed));
    subordinates.push_back(std::make_unique<axi::SubordinatePort<40, DataBits, 3>>(
        fmt::format("subordinate{}", n).c_str(), *pins.back(), axi::SubordinateOptions{6, 4}));
    subordinates.back()->clk(clock);
    subordinates.back()->rst_n(running);
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_initiator{}", n).c_str()));
    subordinates.back()->socket.bind(tlm.back()->initiator);
    tlm.back()->target.bind(network.node(n).initiator_side);
    before.push_back(std::make_unique<AxiStation<Pins, AxiTraffic>>(fmt::format("before{}", n).c_str(), *pins.back(),
                                                                    *sources.back(), clock));
  }
  // An initiator at node 4 reads what it has just written, which AXI alone would not order.
  TlmPlan own;
  own.base = 3 * 0x10000;
  own.memory = 0x10000;
  own.memories = 3;
  own.part = 256;
  own.number = 3 * kIds * 128 / own.part;
  own.transactions = 300;
  AtInitiator initiator("initiator", own, seed);
  initiator.socket.bind(network.node(4).initiator_side);
  const auto answered = [&] {
    std::uint64_t sum = initiator.answered;
    for (const auto& s : sources) sum += s->answered;
    return sum;
  };
  const std::uint64_t expected = 4 * 300;
  std::uint64_t last = 0;
  do {
    last = answered();
    sc_core::sc_start(20'000 * cycle);
  } while (answered() < expected && answered() > last);
  std::uint64_t errors = 0;
  std::uint64_t overtaken = 0;
  for (const auto& s : sources) {
    if (!s->wrong.empty()) return s->wrong;
    errors += s->errors;
    overtaken += s->overtaken;
  }
  if (!initiator.wrong.empty()) return initiator.wrong;
  if (answered() != expected) return fmt::format("{} of {} answers", answered(), expected);
  for (const std::string& wrong : {trouble_of(tlm), trouble_of(before), trouble_of(behind)}) {
    if (!wrong.empty()) return wrong;
  }
  if (errors == 0 || overtaken == 0) return fmt::format("{} errors, {} overtaken", errors, overtaken);
  if (network.fabric().outstanding() != 0) return "something is left";
  return "";
}

TEST(AxiTrafficOverNetworks, KeepsTheRulesAndEveryByte) {
  const auto run = [](const std::string& fabric, double ratio, auto bits) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(soak()); ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", fabric, seed));
      const ChildResult child =
          in_child([&] { return traffic<decltype(bits)::value>(network_of(fabric), ratio, seed); });
      ASSERT_TRUE(child.ok) << child.text;
      ASSERT_EQ(child.text, "");
    }
  };
  run("ideal", 1, std::integral_constant<unsigned, 32>());
  run("ib_tree", 0.7, std::integral_constant<unsigned, 64>());
  run("iq", 1.3, std::integral_constant<unsigned, 128>());
  run("tdm", 1, std::integral_constant<unsigned, 512>());
  run("opa", 2, std::integral_constant<unsigned, 32>());
}

/// Pins of one manager and of one subordinate, played by hand.
std::string one_burst(bool write, std::uint32_t beats, bool memory_has_pins) {
  const ChildResult child = in_child([&]() -> std::string {
    using Pins = axi::Signals<32, 64, 2>;
    const std::string yaml = std::string("fabric: ideal\nideal: { nodes: 2, latency: 7cycles }\n") + kLevels;
    const auto design = design_of(yaml);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    network.map(0, kAxiMemory, 1);
    network.node(1).configure({.approximately_timed = true});
    const sc_core::sc_time cycle = network.fabric().domain().period_time();
    sc_core::sc_clock clock("clock", cycle);
    sc_core::sc_signal<bool> running("running", true);
    Pins source("source");
    Pins memory_pins("memory");
    axi::SubordinatePort<32, 64, 2> subordinate("subordinate", source);
    axi::ManagerPort<32, 64, 2> manager("manager", memory_pins);
    AtMemory plain("plain", kAxiMemory, 1, sc_core::SC_ZERO_TIME);
    struct Idle : sc_core::sc_module {
      tlm_utils::simple_initiator_socket<Idle> socket{"socket"};
      explicit Idle(sc_core::sc_module_name name) : sc_module(name) {}
    } idle("idle");
    subordinate.clk(clock);
    subordinate.rst_n(running);
    manager.clk(clock);
    manager.rst_n(running);
    subordinate.socket.bind(network.node(0).initiator_side);
    network.node(1).target_side.bind(memory_has_pins ? static_cast<tlm::tlm_target_socket<>&>(manager.socket)
                                                     : static_cast<tlm::tlm_target_socket<>&>(plain.socket));
    idle.socket.bind(memory_has_pins ? static_cast<tlm::tlm_target_socket<>&>(plain.socket)
                                     : static_cast<tlm::tlm_target_socket<>&>(manager.socket));
    axi::ManagerPins m;
    m.b_ready = m.r_ready = true;
    axi::SubordinatePins s;
    s.aw_ready = s.w_ready = s.ar_ready = true;
    std::uint32_t sent = 0;
    std::uint32_t asked = 0;
    std::string heard;
    sc_core::sc_start(cycle / 2);
    // Between edges: what is seen here is what both sides see at the next one.
    for (int edge = 1; edge < 200; ++edge) {
      const auto note = [&](const char* what) {
        heard += fmt::format("{}{} {}", heard.empty() ? "" : ", ", what, edge);
      };
      if (edge == 4) {
        (write ? m.aw_valid : m.ar_valid) = true;
        (write ? m.aw : m.ar) = axi::Address{1, 64, beats, 8};
      }
      m.w_valid = write && edge >= 4 && sent < beats;
      m.w = {std::vector<unsigned char>(8, 1), std::vector<bool>(8, true)};
      m.w_last = sent + 1 == beats;
      source.drive(m);
      memory_pins.drive(s);
      sc_core::sc_start(cycle / 4);
      const axi::SubordinatePins answer = source.subordinate();
      const axi::ManagerPins request = memory_pins.manager();
      if (m.aw_valid && answer.aw_ready) note("AW");
      if (m.ar_valid && answer.ar_ready) note("AR");
      if (m.w_valid && answer.w_ready && ++sent == beats) note("WLAST");
      if (answer.b_valid) note("B");
      if (answer.r_valid && (answer.r_last || beats == 1)) note("RLAST");
      if (request.aw_valid) note("(AW");
      if (request.ar_valid) note("(AR");
      if (request.w_valid && request.w_last) note("WLAST)");
      if (request.w_valid && request.w_last) asked = 1;
      if (request.ar_valid) asked = beats;
      if (s.r_valid && s.r_last) note("RLAST)");
      if (s.b_valid) note("B)");
      sc_core::sc_start(cycle - cycle / 4);
      m.aw_valid = m.ar_valid = false;
      // A memory that answers in the cycle after.
      s.b_valid = write && asked > 0;
      s.r_valid = !write && asked > 0;
      s.b_id = s.r_id = write ? request.aw.id : request.ar.id;
      s.r_bytes.assign(8, 7);
      if (asked > 0) --asked;
      s.r_last = asked == 0;
    }
    return heard;
  });
  return child.text;
}

// AR is taken at an edge; the request enters the network one cycle later and takes 7, as does the answer of a memory
// that takes no time. It is there in cycle 16, at an edge, so the next one drives it and the one behind takes it.
TEST(AxiTimes, ABurstTakesTwoTransfersAndTwoEdges) {
  EXPECT_EQ(one_burst(false, 1, false), "AR 4, RLAST 22");
  EXPECT_EQ(one_burst(false, 4, false), "AR 4, RLAST 25");
  EXPECT_EQ(one_burst(true, 1, false), "AW 4, WLAST 4, B 22");
  EXPECT_EQ(one_burst(true, 4, false), "AW 4, WLAST 7, B 25");
}

// With pins at the other end as well: the request is there in cycle 12, the edge of cycle 13 drives the address, and
// the memory answers from the next edge on.
TEST(AxiTimes, ASubordinateAddsAnEdgeAndItsOwnTime) {
  EXPECT_EQ(one_burst(false, 1, true), "AR 4, (AR 14, RLAST) 15, RLAST 25");
  EXPECT_EQ(one_burst(false, 4, true), "AR 4, (AR 14, RLAST) 18, RLAST 31");
  EXPECT_EQ(one_burst(true, 1, true), "AW 4, WLAST 4, (AW 14, WLAST) 14, B) 15, B 25");
  EXPECT_EQ(one_burst(true, 4, true), "AW 4, WLAST 7, (AW 17, WLAST) 20, B) 21, B 31");
}

}  // namespace
}  // namespace weft::test

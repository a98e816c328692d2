// AXI4 managers and memories, and both ends of streams, at the nodes of networks, that are reset at random moments, one
// side or both, under random traffic and a checker of the rules on both sides (docs/axi.md, "Reset"). Of memories every
// byte that is known is compared: that of an ID of which a write has failed is not, until it is written again.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "integration/endpoints/axi_by_hand.h"
#include "integration/endpoints/axi_station.h"
#include "integration/endpoints/endpoint_bench.h"
#include "integration/endpoints/random_resets.h"
#include "run/tlm_system.h"
#include "support/axi_agents.h"
#include "support/axi_stream_agents.h"
#include "support/child.h"
#include "support/tlm_agents.h"
#include "support/tlm_checker.h"
#include "workload/axi/axi_manager.h"
#include "workload/axi/axi_stream_receiver.h"
#include "workload/axi/axi_stream_transmitter.h"
#include "workload/axi/axi_subordinate.h"

namespace weft::test {
namespace {

using namespace endpoints;

constexpr std::uint64_t kEverydaySeeds = 2;  // these have resets in all situations; others may not
constexpr unsigned kReach = 0x10000;         // bytes of a memory
constexpr unsigned kResetIds = 4;
constexpr std::uint64_t kBursts = 500;

// Managers at nodes 0 to 2; memories at nodes 3 and 4 by their pins, at node 5 by nb_transport, without a reset.
std::string with_resets(const std::string& yaml, double clock_ratio, std::uint64_t seed) {
  using Pins = axi::Signals<40, 64, 3>;
  const auto design = design_of(yaml);
  const auto plan = design->plan();
  TlmSystem network("network", *plan, {0, 1, 2, 3, 4, 5});
  const sc_core::sc_time cycle = clock_ratio * network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);

  RandomResets resets("resets", cycle, 5, seed);  // a line for each node with pins
  std::vector<std::unique_ptr<Pins>> pins;
  std::vector<std::unique_ptr<TlmChecker>> tlm;
  std::vector<std::unique_ptr<AxiMemory>> memories;
  std::vector<std::unique_ptr<axi::ManagerPort<40, 64, 3>>> managers;
  std::vector<std::unique_ptr<AxiStation<Pins, AxiMemory>>> behind;
  AtMemory plain("plain", kReach, seed, 20 * cycle);
  for (NodeId n = 3; n < 6; ++n) {
    network.map(n * kReach, kReach, n);
    network.node(n).configure({.approximately_timed = n != 4, .target_outstanding = 6});
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_target{}", n).c_str()));
    network.node(n).target_side.bind(tlm.back()->initiator);
    if (n == 5) {
      tlm.back()->target.bind(plain.socket);
      continue;
    }
    pins.push_back(std::make_unique<Pins>(fmt::format("memory{}", n)));
    managers.push_back(
        std::make_unique<axi::ManagerPort<40, 64, 3>>(fmt::format("manager{}", n).c_str(), *pins.back()));
    managers.back()->clk(clock);
    managers.back()->rst_n(resets.line(n));
    tlm.back()->target.bind(managers.back()->socket);
    memories.push_back(std::make_unique<AxiMemory>(Pins::kBus, kReach, seed + n));
    behind.push_back(std::make_unique<AxiStation<Pins, AxiMemory>>(fmt::format("behind{}", n).c_str(), *pins.back(),
                                                                   *memories.back(), clock, &resets.line(n)));
  }
  std::vector<std::unique_ptr<AxiTraffic>> sources;
  std::vector<std::unique_ptr<axi::SubordinatePort<40, 64, 3>>> subordinates;
  std::vector<std::unique_ptr<AxiStation<Pins, AxiTraffic>>> before;
  for (NodeId n = 0; n < 3; ++n) {
    pins.push_back(std::make_unique<Pins>(fmt::format("source{}", n)));
    AxiPlan what;
    what.bus = Pins::kBus;
    what.ids = kResetIds;
    what.part = 128;
    what.base = 3 * kReach + n * kResetIds * what.part;
    what.next = 3 * kResetIds * what.part;
    what.stride = kReach;
    what.memories = 3;
    what.nobody = 0x900000;
    what.bursts = kBursts;
    what.pause = 6 * n;
    what.may_fail = true;
    sources.push_back(std::make_unique<AxiTraffic>(what, seed));
    subordinates.push_back(std::make_unique<axi::SubordinatePort<40, 64, 3>>(
        fmt::format("subordinate{}", n).c_str(), *pins.back(), axi::SubordinateOptions{6, 4}));
    subordinates.back()->clk(clock);
    subordinates.back()->rst_n(resets.line(n));
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_initiator{}", n).c_str()));
    subordinates.back()->socket.bind(tlm.back()->initiator);
    tlm.back()->target.bind(network.node(n).initiator_side);
    before.push_back(std::make_unique<AxiStation<Pins, AxiTraffic>>(fmt::format("before{}", n).c_str(), *pins.back(),
                                                                    *sources.back(), clock, &resets.line(n)));
  }
  const auto ended = [&] {
    std::uint64_t sum = 0;
    for (const auto& s : sources) sum += s->answered + s->forgotten;
    return sum;
  };
  std::uint64_t last = 0;
  do {
    last = ended();
    sc_core::sc_start(20'000 * cycle);
  } while ((ended() < 3 * kBursts && ended() > last) || !resets.done);
  sc_core::sc_start(2'000 * cycle);

  std::uint64_t forgotten = 0, failed = 0, errors = 0, dropped = 0, broken_off = 0;
  for (const auto& s : sources) {
    if (!s->wrong.empty()) return s->wrong;
    forgotten += s->forgotten;
    failed += s->failed;
    errors += s->errors;
  }
  for (const auto& s : subordinates) dropped += s->dropped;
  for (const auto& m : managers) broken_off += m->broken_off;
  for (const std::string& wrong : {trouble_of(tlm), trouble_of(before), trouble_of(behind)}) {
    if (!wrong.empty()) return wrong;
  }
  if (ended() != 3 * kBursts) return fmt::format("{} of {} bursts", ended(), 3 * kBursts);
  // What has been forgotten need not have entered the network; what has failed is told to managers that are still
  // there.
  if (dropped > forgotten || failed > broken_off) {
    return fmt::format("{} dropped of {} forgotten, {} failed of {} broken off", dropped, forgotten, failed,
                       broken_off);
  }
  if (seed <= kEverydaySeeds && (dropped == 0 || failed == 0 || errors == 0)) {
    return fmt::format("{} dropped, {} failed, {} errors", dropped, failed, errors);
  }
  if (network.fabric().outstanding() != 0) return "something is left";
  return "";
}

/// What is left of a packet that a reset has cut, and whole packets, arrive in order; what does not arrive is counted.
std::string streams_with_resets(const std::string& yaml, double clock_ratio, std::uint64_t seed) {
  using Pins = axi::StreamSignals<64, 5, 3>;
  constexpr std::uint64_t kApart = 0x1000;
  constexpr std::uint32_t kPiece = 24;  // bytes of a transaction: three beats
  constexpr std::uint64_t kPackets = 200;
  catch_reports();  // of packets that are lost
  const auto design = design_of(yaml);
  const auto plan = design->plan();
  TlmSystem network("network", *plan, {0, 1, 2, 3});
  const sc_core::sc_time cycle = clock_ratio * network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);
  RandomResets resets("resets", cycle, 4, seed);  // a line for each node with pins
  StreamBooks books;
  books.piece = kPiece;
  std::vector<std::unique_ptr<TlmChecker>> tlm;
  std::vector<std::unique_ptr<Pins>> pins;
  std::vector<std::unique_ptr<StreamSink>> sinks;
  std::vector<std::unique_ptr<axi::StreamTransmitterPort<64, 5, 3>>> transmitters;
  std::vector<std::unique_ptr<StreamStation<Pins, StreamSink>>> behind;
  std::vector<std::unique_ptr<StreamTraffic>> sources;
  std::vector<std::unique_ptr<axi::StreamReceiverPort<64, 5, 3>>> receivers;
  std::vector<std::unique_ptr<StreamStation<Pins, StreamTraffic>>> before;
  for (NodeId n = 0; n < 4; ++n) {
    pins.push_back(std::make_unique<Pins>(fmt::format("pins{}", n)));
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at{}", n).c_str()));
    if (n < 2) {
      StreamPlan what;
      what.first_id = 8 * n;
      what.ids = 4;
      what.dests = 2;
      what.beats = 12;
      what.packets = kPackets;
      what.pause = 3 * n;
      sources.push_back(std::make_unique<StreamTraffic>(what, books, seed));
      receivers.push_back(std::make_unique<axi::StreamReceiverPort<64, 5, 3>>(
          fmt::format("receiver{}", n).c_str(), *pins.back(), axi::StreamReceiverOptions{0x40000, kApart, kPiece, 4}));
      receivers.back()->clk(clock);
      receivers.back()->rst_n(resets.line(n));
      receivers.back()->socket.bind(tlm.back()->initiator);
      tlm.back()->target.bind(network.node(n).initiator_side);
      before.push_back(std::make_unique<StreamStation<Pins, StreamTraffic>>(
          fmt::format("before{}", n).c_str(), *pins.back(), *sources.back(), clock, &resets.line(n)));
    } else {
      network.map(0x40000 + (n - 2) * kApart, kApart, n);
      network.node(n).configure({.approximately_timed = n == 2, .target_outstanding = 3});
      transmitters.push_back(std::make_unique<axi::StreamTransmitterPort<64, 5, 3>>(
          fmt::format("transmitter{}", n).c_str(), *pins.back(), axi::StreamTransmitterOptions{2}));
      transmitters.back()->clk(clock);
      transmitters.back()->rst_n(resets.line(n));
      network.node(n).target_side.bind(tlm.back()->initiator);
      tlm.back()->target.bind(transmitters.back()->socket);
      sinks.push_back(std::make_unique<StreamSink>(n - 2, n, books, seed));
      behind.push_back(std::make_unique<StreamStation<Pins, StreamSink>>(
          fmt::format("behind{}", n).c_str(), *pins.back(), *sinks.back(), clock, &resets.line(n)));
    }
  }
  std::uint64_t last = 0;
  do {
    last = books.arrived;
    sc_core::sc_start(20'000 * cycle);
  } while (!resets.done || books.arrived > last);

  std::uint64_t lost = 0, broken_off = 0, missing = books.missing;
  for (const auto& r : receivers) lost += r->lost;
  for (const auto& t : transmitters) broken_off += t->broken_off;
  for (const auto& [stream, records] : books.expected) {
    for (const StreamRecord& record : records) missing += record.cut ? 0 : 1;
  }
  if (!books.wrong.empty()) return books.wrong;
  for (const std::string& wrong : {trouble_of(tlm), trouble_of(before), trouble_of(behind)}) {
    if (!wrong.empty()) return wrong;
  }
  if (lost != broken_off || missing > lost || books.arrived + missing != books.sent + books.cut) {
    return fmt::format("{} sent, {} arrived, {} of them cut, {} missing; {} lost, {} broken off", books.sent,
                       books.arrived, books.cut, missing, lost, broken_off);
  }
  if (seed <= kEverydaySeeds && (missing == 0 || books.cut == 0))
    return fmt::format("{} missing, {} cut", missing, books.cut);
  if (network.fabric().outstanding() != 0) return "something is left";
  return "";
}

using RandomRun = std::string (*)(const std::string& yaml, double clock_ratio, std::uint64_t seed);

void over_networks(RandomRun random_run) {
  for (const auto& [fabric, ratio] : {std::pair("ideal", 1.0), {"ib_tree", 0.7}, {"iq", 1.3}, {"tdm", 1.0}}) {
    const std::string network = network_of(fabric);
    for (std::uint64_t seed = 1; seed <= kEverydaySeeds * static_cast<std::uint64_t>(soak()); ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", fabric, seed));
      const ChildResult child = in_child([&, ratio = ratio] { return random_run(network, ratio, seed); });
      ASSERT_TRUE(child.ok) << child.text;
      ASSERT_EQ(child.text, "");
    }
  }
}

TEST(AxiRandomResets, NothingIsLeftAndEveryKnownByteIsRight) { over_networks(with_resets); }

TEST(AxiRandomResets, PacketsOfStreamsArriveInOrderOrAreCounted) { over_networks(streams_with_resets); }

}  // namespace
}  // namespace weft::test

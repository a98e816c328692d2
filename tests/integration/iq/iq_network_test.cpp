// Input-queued networks against closed forms and known results: zero load, saturation, the ejection limit; what holds
// in every run; links with something in between.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/diagnostics.h"
#include "network/routing/routing_algorithms.h"
#include "network/routing/routing_config.h"
#include "network/topology/topologies.h"
#include "support/child.h"
#include "support/iq_runs.h"

namespace weft::test {
namespace {

void run(IqNetwork& network) {
  network.domain().capture_failures();
  sc_core::sc_start();
  if (network.domain().failure()) std::rethrow_exception(network.domain().failure());
  if (network.outstanding() != 0) throw std::runtime_error("stuck" + stall_text(network.stalled()));
  network.check_conservation(network.domain().now());
}

// Written out for one cycle per stage: 5 cycles per router, one for the first link, one for each further flit.
TEST(IqZeroLoad, OneCyclePerStage) {
  const IqParameters p;
  EXPECT_EQ(zero_load_latency(p, 1, 1), 6);
  EXPECT_EQ(zero_load_latency(p, 7, 1), 36);
  EXPECT_EQ(zero_load_latency(p, 7, 8), 43);
  // A place is used again 5 cycles later: with 2 flits per VC, two flits take 5 cycles.
  IqParameters small;
  small.buffer = 2;
  EXPECT_EQ(zero_load_latency(small, 7, 2), 37);
  EXPECT_EQ(zero_load_latency(small, 7, 3), 38 + 3);
  EXPECT_EQ(zero_load_latency(small, 7, 5), 40 + 6);
}

// One packet after the other, each after the last has long arrived.
class IqZeroLoad : public ::testing::TestWithParam<int> {};

TEST_P(IqZeroLoad, ClosedForm) {
  for (int i = 0; i < 8 * soak(); ++i) {
    RandomStream random(static_cast<std::uint64_t>(GetParam() * 1000 + i), "zero load");
    const TopologyConfig topologies[] = {IqSystem::mesh({4, 4}), IqSystem::torus({5, 4}), IqSystem::tree(2, 4)};
    const IqSystem system(topologies[random.below(3)], random.below(2) == 0);
    const IqParameters parameters = random_iq_parameters(random);
    std::vector<oracle::IqPacket> packets(40);
    std::vector<Cycle> expected;
    Cycle at = 0;
    for (oracle::IqPacket& p : packets) {
      const auto nodes = system.graph.nodes();
      p = {at, static_cast<NodeId>(random.below(nodes)), static_cast<NodeId>(random.below(nodes)),
           static_cast<std::uint32_t>(1 + random.below(80)), static_cast<std::uint32_t>(random())};
      expected.push_back(zero_load_latency(parameters, system.hops(p.source, p.destination, p.choice), p.flits));
      at += 50'000;
    }
    const ChildResult child = in_child([&]() -> std::string {
      ClockDomain clock("clock", Duration{1'000});
      IqNetwork network("net", clock, system.graph, parameters, *system.routing);
      IqListSource source(network, packets);
      run(network);
      for (std::size_t k = 0; k < packets.size(); ++k) {
        const Cycle latency = source.outcome().delivered[k] - packets[k].generated;
        if (latency != expected[k]) {
          return fmt::format("{} flits, {} -> {}: {} cycles instead of {}", packets[k].flits, packets[k].source,
                             packets[k].destination, latency, expected[k]);
        }
      }
      return "";
    });
    ASSERT_TRUE(child.ok) << child.text;
    ASSERT_EQ(child.text, "") << system.graph.name() << " seed " << GetParam() * 1000 + i;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, IqZeroLoad, ::testing::Range(0, 4));

struct LoadResult {
  double throughput = 0;
  double latency = 0;
};

LoadResult under_load(const TopologyConfig& topology, const IqParameters& parameters, IqBernoulli::Options options) {
  const ChildResult child = in_child([&] {
    const IqSystem system(topology);
    ClockDomain clock("clock", Duration{1'000});
    IqNetwork network("net", clock, system.graph, parameters, *system.routing);
    IqBernoulli sources(network, system.graph.nodes(), options);
    network.domain().capture_failures();
    sc_core::sc_start(network.domain().time_of(options.until));
    if (network.domain().failure()) std::rethrow_exception(network.domain().failure());
    return fmt::format("{} {}", sources.throughput(), sources.mean_latency());
  });
  EXPECT_TRUE(child.ok) << child.text;
  LoadResult r;
  std::sscanf(child.text.c_str(), "%lf %lf", &r.throughput, &r.latency);
  return r;
}

IqBernoulli::Options load(double rate, std::uint32_t flits) {
  IqBernoulli::Options o;
  o.load = rate;
  o.flits = flits;
  o.from = 2'000;
  o.until = 8'000;
  return o;
}

IqParameters vcs(std::uint32_t n, std::uint32_t buffer) {
  IqParameters p;
  p.vcs = n;
  p.buffer = buffer;
  return p;
}

// Half of uniform traffic (self-traffic included) crosses the middle of an 8 x 8 mesh, 8 links each way, so at most
// 8 / (64 / 2 / 2) = 0.5 flits per cycle and node can be delivered. Routers with many VCs come near it, single ones do
// not.
TEST(IqSaturation, UniformOnAMesh) {
  const LoadResult r = under_load(IqSystem::mesh({8, 8}), vcs(8, 8), load(0.9, 1));
  EXPECT_GT(r.throughput, 0.75 * 0.5);
  EXPECT_LT(r.throughput, 0.5);
  const LoadResult few = under_load(IqSystem::mesh({8, 8}), vcs(1, 4), load(0.9, 1));
  EXPECT_LT(few.throughput, r.throughput);
}

// One router with a single queue per input loses throughput to heads that wait behind others: with 4 and 8 ports,
// uniform destinations and inputs that never run empty it reaches 0.6553 and 0.6184 (Karol, Hluchyj and Morgan, IEEE
// Transactions on Communications 35(12), 1987, table I), whatever the service among contending heads that does not look
// at the queues.
TEST(IqSaturation, HeadOfLineBlocking) {
  IqParameters p = vcs(1, 16);
  p.routing = p.vc_allocation = 0;
  for (const IqAllocation allocation : {IqAllocation::separable, IqAllocation::islip}) {
    p.allocation = allocation;
    IqBernoulli::Options o = load(1.0, 1);
    o.until = 30'000;
    EXPECT_NEAR(under_load(IqSystem::tree(4, 1), p, o).throughput, 0.6553, 0.01);
    EXPECT_NEAR(under_load(IqSystem::tree(8, 1), p, o).throughput, 0.6184, 0.01);
  }
}

// Below saturation everything offered is delivered, and the latency is little more than at zero load.
TEST(IqSaturation, LowLoadIsDelivered) {
  const LoadResult r = under_load(IqSystem::mesh({8, 8}), vcs(4, 8), load(0.05, 1));
  EXPECT_NEAR(r.throughput, 0.05, 0.002);
  // Uniform over all 64 nodes, itself included: 2 * (64 - 1) / 24 = 5.25 hops between routers on average.
  const double zero = 5 * (5.25 + 1) + 1;
  EXPECT_GT(r.latency, zero - 0.3);
  EXPECT_LT(r.latency, zero + 1.5);
}

// All send to one node: its link is the limit, one flit per cycle, and it is used in every cycle.
TEST(IqSaturation, EjectionLimit) {
  for (const std::uint32_t flits : {1U, 5U}) {
    IqBernoulli::Options o = load(0.2, flits);
    o.hot = 5;
    const LoadResult r = under_load(IqSystem::mesh({4, 4}), vcs(4, 8), o);
    EXPECT_NEAR(r.throughput * 16, 1.0, 0.001) << flits;
  }
}

// A single source is limited by its link: one flit per cycle, when the buffers cover the loop of credits; else by that.
TEST(IqSaturation, CreditLoop) {
  for (const std::uint32_t buffer : {2U, 8U}) {
    std::vector<oracle::IqPacket> packets(3'000, {0, 0, 1, 1, 0});
    const ChildResult child = in_child([&] {
      const IqSystem system(IqSystem::mesh({2}));
      ClockDomain clock("clock", Duration{1'000});
      IqNetwork network("net", clock, system.graph, vcs(1, buffer), *system.routing);
      IqListSource source(network, packets);
      run(network);
      return std::to_string(source.outcome().delivered.back() - source.outcome().delivered.front());
    });
    ASSERT_TRUE(child.ok) << child.text;
    // Heads wait rc + va for their VC, and the VC is free a cycle after the tail: 3 cycles per packet of one flit on
    // one VC. Two places that are used again after 7 cycles (a head's loop) allow 2 flits in 7 cycles.
    EXPECT_NEAR(std::stod(child.text), buffer == 8 ? 3.0 * 2'999 : 3.5 * 2'999, 10.0);
  }
}

// Nothing is allocated once the run is warm.
TEST(IqNetworkTest, NoAllocationWhenWarm) {
  const ChildResult child = in_child([] {
    const IqSystem system(IqSystem::torus({4, 4}));
    ClockDomain clock("clock", Duration{1'000});
    IqNetwork network("net", clock, system.graph, vcs(4, 8), *system.routing);
    IqBernoulli::Options o = load(0.3, 4);
    o.until = 40'000;
    IqBernoulli sources(network, 16, o);
    network.domain().capture_failures();
    sc_core::sc_start(network.domain().time_of(10'000));
    const auto before = network.pool().allocations();
    sc_core::sc_start(network.domain().time_of(20'000));
    if (network.domain().failure()) std::rethrow_exception(network.domain().failure());
    if (network.accounting().delivered() < 10'000) throw std::runtime_error("little was delivered");
    if (network.pool().allocations() != before) throw std::runtime_error("allocations in a warm run");
    run(network);
    if (network.pool().in_use() != 0) throw std::runtime_error("packets not given back");
    return std::string();
  });
  EXPECT_TRUE(child.ok) << child.text;
}

// What a user puts between two routers; it may delay, as a longer link does.
class Repeater final : public sc_core::sc_module, public IqReceiver, public IqSender {
 public:
  Repeater(sc_core::sc_module_name name, Cycle extra) : sc_module(name), in(*this, 0), out(this, 0), extra_(extra) {}
  void receive(PortId, const IqTransfer& transfer) override {
    ++flits;
    IqTransfer late = transfer;
    late.at += extra_;
    out.send(late, sc_core::SC_ZERO_TIME);
  }
  void answer(PortId, const IqTransfer& transfer) override {
    ++credits;
    IqTransfer same = transfer;
    in.answer(same, sc_core::SC_ZERO_TIME);
  }
  IqInPort in;
  IqOutPort out;
  std::uint64_t flits = 0;
  std::uint64_t credits = 0;

 private:
  Cycle extra_;
};

// The same with the sockets of TLM-2.0, as a module that knows nothing of Weft's classes has them.
class Probe final : public sc_core::sc_module,
                    public tlm::tlm_fw_transport_if<IqProtocol>,
                    public tlm::tlm_bw_transport_if<IqProtocol> {
 public:
  explicit Probe(sc_core::sc_module_name name) : sc_module(name), from("from"), to("to") {
    from.bind(*this);
    to.bind(*this);
  }
  tlm::tlm_sync_enum nb_transport_fw(IqTransfer& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++flits;
    return to->nb_transport_fw(t, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(IqTransfer& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) override {
    ++credits;
    return from->nb_transport_bw(t, phase, delay);
  }
  void b_transport(IqTransfer&, sc_core::sc_time&) override {}
  bool get_direct_mem_ptr(IqTransfer&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(IqTransfer&) override { return 0; }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
  tlm::tlm_target_socket<32, IqProtocol> from;
  tlm::tlm_initiator_socket<32, IqProtocol> to;
  int flits = 0;
  int credits = 0;
};

// Two routers and two NICs wired by hand, with a repeater on one of the links.
class HandMade final : public sc_core::sc_module, public DeliveryHandler {
 public:
  /// `tlm`: a probe before the repeater, with sockets.
  HandMade(sc_core::sc_module_name name, const IqSystem& system, const IqParameters& p, Cycle extra, bool tlm = false)
      : sc_module(name),
        routes(*system.routing, system.graph),
        clock("clock", Duration{1'000}),
        agenda(clock, p),
        core(clock, agenda, p, routes, observers) {
    for (SwitchId s = 0; s < 2; ++s) {
      routers.push_back(std::make_unique<IqRouter>(fmt::format("router{}", s).c_str(), core, site_of(system.graph, s)));
    }
    for (NodeId n = 0; n < 2; ++n) {
      nics.push_back(std::make_unique<IqNic>(fmt::format("nic{}", n).c_str(), clock, agenda, n, p, observers, *this));
    }
    repeater = std::make_unique<Repeater>("repeater", extra);
    // Port 1 is +x, port 2 is -x.
    if (tlm) {
      probe = std::make_unique<Probe>("probe");
      routers[0]->out(1).socket("to_probe").bind(probe->from);
      probe->to.bind(repeater->in.socket("from_probe"));
    } else {
      routers[0]->out(1).bind(repeater->in);
    }
    repeater->out.bind(routers[1]->in(2));
    routers[1]->out(2).bind(routers[0]->in(1));
    for (NodeId n = 0; n < 2; ++n) {
      nics[n]->out().bind(routers[n]->in(0));
      routers[n]->out(0).bind(nics[n]->in());
    }
  }
  void take_delivery(PacketMessage&, Cycle now) override { delivered.push_back(now); }
  void take_back(PacketMessage&) override {}

  IqRoutes routes;
  ClockDomain clock;
  IqAgenda agenda;
  PacketObservers observers;
  IqCore core;
  std::vector<std::unique_ptr<IqRouter>> routers;
  std::vector<std::unique_ptr<IqNic>> nics;
  std::unique_ptr<Repeater> repeater;
  std::unique_ptr<Probe> probe;
  std::vector<Cycle> delivered;
};

class Starter final : public Agent {
 public:
  Starter(HandMade& net, std::uint32_t flits) : net_(net) {
    message->destination = 1;
    message->source = 0;
    message->flits = flits;
    net.clock.schedule(0, Phase::prepare, *this, 0);
  }
  void due(Cycle now, std::uint32_t) override { net_.nics[0]->submit(*message, now); }
  const std::unique_ptr<PacketMessage> message = std::make_unique<PacketMessage>();

 private:
  HandMade& net_;
};

TEST(IqLinks, SomethingInBetween) {
  for (const auto& [extra, tlm] : {std::pair<Cycle, bool>{0, false}, {1, false}, {1, true}}) {
    const ChildResult child = in_child([&, extra = extra, tlm = tlm]() -> std::string {
      const IqSystem system(IqSystem::mesh({2}));
      const IqParameters p = vcs(2, 8);
      HandMade net("net", system, p, extra, tlm);
      Starter starter(net, 6);
      net.clock.capture_failures();
      sc_core::sc_start();
      if (net.clock.failure()) std::rethrow_exception(net.clock.failure());
      if (net.repeater->flits != 6 || net.repeater->credits != 6) return "not through the repeater";
      if (tlm && (net.probe->flits != 6 || net.probe->credits != 6)) return "not through the probe";
      if (net.delivered.size() != 1) return "not delivered";
      return std::to_string(net.delivered[0] - zero_load_latency(p, 2, 6));
    });
    ASSERT_TRUE(child.ok) << child.text;
    EXPECT_EQ(child.text, std::to_string(extra));
  }
}

// A repeater that is slower than the routers were built for is found, not computed with.
TEST(IqLinks, TooSlowIsAnError) {
  const ChildResult child = in_child([&]() -> std::string {
    const IqSystem system(IqSystem::mesh({2}));
    HandMade net("net", system, vcs(2, 8), 100);
    Starter starter(net, 1);
    net.clock.capture_failures();
    sc_core::sc_start();
    if (net.clock.failure()) std::rethrow_exception(net.clock.failure());
    return "";
  });
  EXPECT_FALSE(child.ok);
  EXPECT_NE(child.text.find("against the link's latency or rate"), std::string::npos) << child.text;
}

TEST(IqProblems, AreFoundBeforeTheRun) {
  const IqSystem torus(IqSystem::torus({4, 4}));
  const auto found = [&](const IqParameters& p, const PacketRouting& routing) {
    std::string out;
    for (const IqProblem& problem : iq_problems(p, routing, torus.graph))
      out += problem.key + ": " + problem.text + "\n";
    return out;
  };
  EXPECT_EQ(found(vcs(2, 1), *torus.routing), "");
  EXPECT_EQ(found(vcs(3, 8), *torus.routing), "vcs: the routing has 2 lane classes, which must divide the 3 VCs\n");
  EXPECT_EQ(found(vcs(0, 8), *torus.routing), "vcs: 0 VCs; 1 to 32 are possible\n");
  EXPECT_EQ(found(vcs(34, 0), *torus.routing),
            "vcs: 34 VCs; 1 to 32 are possible\nbuffer: 0 flits per VC; 1 to 65535 are possible\n");
  IqParameters p = vcs(2, 8);
  p.link = 0;
  p.crossbar = 1001;
  EXPECT_EQ(found(p, *torus.routing),
            "stages.crossbar: 1001 cycles; 0 to 1000 are possible\n"
            "link.delay: 0 cycles; 1 to 1000 are possible\n");
  p = vcs(2, 8);
  p.iterations = 2;
  EXPECT_EQ(found(p, *torus.routing), "iterations: iterations are for islip only (allocator: islip)\n");
  for (const RingControl rule : {RingControl::bubble, RingControl::none}) {
    PacketRoutingOptions options;
    options.ring = rule;
    const auto routing = make_packet_routing(options, torus.graph);
    EXPECT_EQ(found(vcs(2, 8), *routing),
              "routing.ring: wormholes on a torus need lane classes (dateline), bubbles do not keep its rings open: "
              "they are places for whole packets, of which these routers may hold a few flits each\n");
  }
}

}  // namespace
}  // namespace weft::test

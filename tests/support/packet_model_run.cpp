#include "support/packet_model_run.h"

#include "fabrics/packet/packet_network.h"

namespace weft::test {
namespace {

using packet_oracle::OracleDecision;
using packet_oracle::OracleMessage;

class CaseRouter final : public PacketRouter {
 public:
  explicit CaseRouter(const RandomPacketCase& c) : case_(c) {}
  PacketHop route(SwitchId at, PortId in, const PacketMessage& m) const override {
    const OracleMessage message{m.generated, m.source, m.destination, m.level, m.flits, m.choice};
    return case_.route(at, in, message, m.lane);
  }
  VirtualLane injection_lane(NodeId at, ServiceLevel level) const override { return case_.injection_lane(at, level); }

 private:
  const RandomPacketCase& case_;
};

class CaseSchedulers final : public EgressSchedulerFactory {
 public:
  explicit CaseSchedulers(const RandomPacketCase& c) : case_(c) {}
  std::unique_ptr<EgressScheduler> scheduler(const EgressSite& site) override {
    return case_.scheduler(site.sw == kNoId ? case_.graph.injection_link(site.node)
                                            : case_.graph.out_link(site.sw, site.port));
  }

 private:
  const RandomPacketCase& case_;
};

// Gives the messages to the network and writes down what becomes of them.
class Driver final : public Agent, public PacketObserver {
 public:
  Driver(const RandomPacketCase& c, PacketNetwork& network, ModelRun& run) : case_(c), network_(network), run_(run) {
    if (!c.messages.empty()) network.domain().schedule(c.messages.front().generated, Phase::prepare, *this, 0);
  }
  bool wants_hops() const override { return true; }
  void due(Cycle now, std::uint32_t) override {
    while (next_ < case_.messages.size() && case_.messages[next_].generated == now) {
      const OracleMessage& m = case_.messages[next_++];
      network_.submit(m.source, m.destination, m.level, m.flits, m.choice);
    }
    if (next_ < case_.messages.size()) {
      network_.domain().schedule(case_.messages[next_].generated, Phase::prepare, *this, 0);
    }
  }
  void on_inject(const PacketMessage& m) override { decided(m, case_.graph.injection_link(m.source), m.sent()); }
  void on_hop(SwitchId sw, PortId out, const PacketMessage& m, Cycle first) override {
    decided(m, case_.graph.out_link(sw, out), first);
  }
  void on_deliver(const PacketMessage& m, Cycle now) override { run_.delivered[m.sequence - 1] = now; }

 private:
  void decided(const PacketMessage& m, LinkId link, Cycle first) {
    run_.decisions[m.sequence - 1].push_back({link, first - case_.parameters.stages.output});
  }
  const RandomPacketCase& case_;
  PacketNetwork& network_;
  ModelRun& run_;
  std::size_t next_ = 0;
};

}  // namespace

ModelRun run_packet_model(const RandomPacketCase& c, Cycle max_cycles, const ModelOptions& options) {
  ModelRun run;
  run.delivered.assign(c.messages.size(), -1);
  run.decisions.resize(c.messages.size());
  const CaseRouter router(c);
  CaseSchedulers schedulers(c);
  ClockDomain clock("clock", Duration{1000});
  PacketNetwork network("net", clock, c.graph, c.parameters, router, schedulers);
  if (options.shuffle) network.domain().shuffle(*options.shuffle);
  network.fetch_ahead(options.fetches);
  Driver driver(c, network, run);
  network.add_observer(driver);
  sc_core::sc_start(network.domain().time_of(max_cycles));
  if (network.outstanding() == 0) network.check_conservation(max_cycles + 1000);
  run.allocations = network.pool().allocations();
  return run;
}

}  // namespace weft::test

// Shared bus: all nodes are at one set of wires, which carry one transfer at a time. The arbiter grants a free bus to
// the next node in turn that has something to send, or to the oldest transfer (of one cycle: in turn). `arbitration`
// cycles later its first word is on the wires, the others follow one a cycle, each arrives `flight` cycles later, and
// with the last one the bus is free again. So w words that find it free take, and hold it for,
//   arbitration + w - 1 + flight
// cycles. All nodes see all words: a multicast goes over the wires once.

#include "bus.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "kernel/send_queue.h"
#include "network/keys/network_schema.h"
#include "observe/vocabulary.h"
#include "run/fabric_plan.h"
#include "workload/stream_sources.h"
#include "workload/workload_schema.h"

namespace own {
namespace {
using namespace weft;
struct Config {
  std::string file = {}, title = {};
  std::uint32_t nodes = 0;
  std::uint64_t word_bits = 8;
  Cycle arbitration = 1, flight = 1;
  bool fcfs = false;
  Workload workload = {};
  Cycle held(std::uint64_t words) const { return arbitration + static_cast<Cycle>(words) - 1 + flight; }
};

class Bus final : public sc_core::sc_module, public Fabric, public BuiltFabric, public Agent {
 public:
  Bus(sc_core::sc_module_name name, ClockDomain& domain, const Config& config)
      : sc_module(name), config_(config), domain_(domain), sends_(*this, domain), queues_(config.nodes) {}

  std::uint32_t nodes() const override { return config_.nodes; }
  Capabilities of(ServiceId) const override {
    return {.ordered = true, .multicast = true, .unit = (config_.word_bits + 7) / 8};
  }
  ClientId attach(Client& client) override { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) override {
    check_transfer(*this, from, transfer, config_.workload.traffic.services.size());
    sends_.send(from, transfer);
  }
  /// Of the queue of sends: a transfer begins to wait at its node, now.
  void enter(NodeId from, const Transfer& t) {
    Message m{{}, {t.group.begin(), t.group.end()}, t};
    if (m.to.empty()) m.to = {t.to};
    m.record = {.id = ++transfers_, .from = from, .service = t.service, .bytes = t.bytes, .generated = domain_.now()};
    m.record.units = std::max<std::uint64_t>(1, (8 * t.bytes + config_.word_bits - 1) / config_.word_bits);
    m.record.serialization = static_cast<Cycle>(m.record.units) - 1;
    counts_.generated += m.to.size();
    tell(m, &TransferObserver::on_generate);
    queues_[from].push_back(std::move(m));
    plan_grant();
  }
  ClockDomain& domain() override { return domain_; }
  Duration tick() const override { return domain_.period(); }
  void observe(TransferObserver& observer) override { observers_.push_back(&observer); }
  const TransferCounts& counts() const override { return counts_; }
  void withdraw() override {
    for (auto& queue : queues_) {
      for (; !queue.empty(); queue.pop_front()) {
        counts_.withdrawn += queue.front().to.size();
        tell(queue.front(), &TransferObserver::on_withdraw);
      }
    }
  }
  /// Cycles for which the bus has been held; time is progress only while it is.
  Cycle held() const { return held_ + (current_ ? domain_.now() - current_->record.entered : 0); }
  std::uint64_t progress() const override { return counts_.generated + static_cast<std::uint64_t>(held()); }
  Cycle watchdog_interval() const override { return 1000; }
  std::string describe_stall() const override {
    return "\n  the bus is " + std::string(current_ ? "held" : "free") + ", open: " + std::to_string(counts_.open());
  }
  void check_conservation(Cycle) override {
    if (current_ || !next().empty()) throw RunError("the bus has not come to rest:" + describe_stall());
  }
  Fabric& fabric() override { return *this; }
  std::vector<Figure> run_figures() const override {
    const double share = static_cast<double>(held()) / static_cast<double>(domain_.now() + 1);
    return {{{"bus_held", "%", "share of the run in which the bus was held"}, 100 * share, true}};
  }
  void due(Cycle now, std::uint32_t step) override { step == kGrant ? grant(now) : arrive(now); }

 private:
  enum Step : std::uint32_t { kGrant, kArrive };
  struct Message {
    TransferRecord record;
    std::vector<NodeId> to;
    Transfer transfer;
  };
  template <class Event, class... At>
  void tell(Message& message, Event event, At... at) {
    for (const NodeId to : message.to) {
      message.record.to = to;
      for (TransferObserver* o : observers_) (o->*event)(message.record, at...);
    }
  }
  // In the last phase of a cycle, in which all its sends are known: their order has no effect.
  void plan_grant() { domain_.schedule(domain_.now(), Phase::settle, *this, kGrant); }
  std::deque<Message>& next() {  // empty: nobody waits
    const auto rank = [this](const std::deque<Message>& queue) {
      if (queue.empty()) return std::pair(std::numeric_limits<Cycle>::max(), NodeId{0});
      const TransferRecord& r = queue.front().record;
      return std::pair(config_.fcfs ? r.generated : 0, (r.from + config_.nodes - turn_) % config_.nodes);
    };
    return *std::ranges::min_element(queues_, {}, rank);
  }
  void grant(Cycle now) {
    std::deque<Message>& queue = next();
    if (current_ || queue.empty()) return;
    current_ = std::move(queue.front());
    queue.pop_front();
    turn_ = (current_->record.from + 1) % config_.nodes;
    current_->record.entered = now;
    tell(*current_, &TransferObserver::on_enter);
    const Transfer& t = current_->transfer;
    const Cycle end = now + config_.held(current_->record.units);
    if (wants(t.notify, Notify::left)) sends_.client(t.client).left(t.tag, end - config_.flight + 1);
    domain_.schedule(end, Phase::settle, *this, kArrive);
  }
  void arrive(Cycle now) {
    held_ = held();
    Message m = *std::exchange(current_, std::nullopt);
    const Transfer& t = m.transfer;
    counts_.delivered += m.to.size();
    tell(m, &TransferObserver::on_arrive, now);
    for (const NodeId to : m.to) {
      if (wants(t.notify, Notify::arrived)) sends_.client(t.client).arrived(t.tag, to, now + 1);
    }
    plan_grant();
  }
  const Config& config_;
  ClockDomain& domain_;
  SendQueue<Bus> sends_;
  std::vector<TransferObserver*> observers_;
  TransferCounts counts_;
  std::uint64_t transfers_ = 0;
  std::vector<std::deque<Message>> queues_;  // per node
  NodeId turn_ = 0;                          // node that is the first in turn
  std::optional<Message> current_;           // to which the bus is granted
  Cycle held_ = 0;                           // by those before
};

class BusPlan final : public FabricPlan {
 public:
  explicit BusPlan(const Config& config) : config_(config), graph_("bus") {
    const SwitchId wires = graph_.add_switch(config.nodes);  // for patterns, which ask where nodes are
    for (PortId n = 0; n < config.nodes; ++n) graph_.attach_node({wires, n});
    check_sources(config.workload.traffic, graph_, "node");
  }
  std::string title() const override { return config_.title; }
  const Workload& workload() const override { return config_.workload; }
  const Graph& graph() const override { return graph_; }
  std::int64_t flit_bits() const override { return static_cast<std::int64_t>(config_.word_bits); }
  std::unique_ptr<BuiltFabric> build(ClockDomain& domain, const Part&) const override {
    return std::make_unique<Bus>("bus", domain, config_);
  }
  ReportData header() const override {
    ReportData r = begin_report(config_.file, "bus: model");
    const auto ns = [&](Cycle c) { return static_cast<double>(c * workload().traffic.period.ps) / 1000.0; };
    std::vector<Figure> figures{
        {vocabulary::kTopology, std::string(config_.fcfs ? "bus, fcfs" : "bus, round robin"), true},
        {vocabulary::kNodes, std::int64_t{config_.nodes}, true},
        {vocabulary::kCycle, ns(1), true},
        {vocabulary::kLinkRate, static_cast<double>(config_.word_bits) / ns(1), true}};
    for (const ServiceConfig& s : workload().traffic.services) {
      figures.push_back(
          {{"zero_load_" + s.name, "ns", "latency of a message alone"}, ns(config_.held(s.message)), true});
    }
    r.sections.push_back({"network", "Network", std::move(figures)});
    return r;
  }

 private:
  const Config& config_;
  Graph graph_;
};

struct RawBus {
  Given<std::uint32_t> nodes;
  Given<DataSize> width;
  Given<Frequency> clock;
  Given<CycleSpan> arbitration, flight;
  Given<std::size_t> order;
};
struct RawConfig : RawWorkload {
  Given<RawBus> bus;
};

Section<RawConfig> section(const std::vector<std::string>& fabrics) {
  Section<RawConfig> s("", "Keys at the top level.");
  declare_head(s, fabrics);
  Section<RawBus> bus("bus", "The wires that all nodes share.");
  bus.key("nodes", &RawBus::nodes, whole<std::uint32_t>(1, 1024), required(), "Number of nodes.");
  bus.key("width", &RawBus::width, data_size_type({8}, {8 * 1024}), by_default("8B"), "Word that a cycle carries.");
  bus.key("clock", &RawBus::clock, clock_type(), by_default("1GHz"), "Clock of the bus.");
  bus.key("arbitration", &RawBus::arbitration, cycle_span_type(0), by_default("1cycle"), "Grant to first word.");
  bus.key("flight", &RawBus::flight, cycle_span_type(1), by_default("1cycle"), "Time of a word from node to node.");
  bus.key("order", &RawBus::order, word_choice_type({"round_robin", "fcfs"}), by_default("round_robin"),
          "Who gets the bus: the next node in turn, or the oldest transfer.");
  s.key("bus", &RawConfig::bus, bus.type(), required(), bus.info()->meaning);
  declare_workload(s);
  return s;
}

Config resolve(const RawConfig& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  const RawBus& b = raw.bus.value;
  if (!b.nodes.valid || !b.width.valid || !b.clock.valid) return {};
  const Duration period = *period_of(b.clock.value).value;
  return {.title = raw.title.value,
          .nodes = b.nodes.value,
          .word_bits = static_cast<std::uint64_t>(b.width.value.bits),
          .arbitration = b.arbitration.value.cycles(period),
          .flight = b.flight.value.cycles(period),
          .fcfs = b.order.value == 1,
          .workload = resolve_workload(raw, document, {"bus", b.nodes.value, b.nodes.where, period, b.width.value},
                                       diagnostics)};
}

}  // namespace

Family bus_family() {
  return family_of<Config, BusPlan>("bus", "Shared bus: one transfer at a time, arbitrated between the nodes.", section,
                                    resolve);
}

}  // namespace own

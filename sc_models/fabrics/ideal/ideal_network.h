#pragma once
// Ideal network: every node has an interface of a fixed rate, and between any two nodes there is a latency and nothing
// else. No switch, no link that is shared, no buffer that fills up: the bound that real networks are measured against,
// and the smallest fabric that endpoints, workloads and reports can be tried on.
//
// Timing, in cycles of one flit at the rate of a node. A transfer of u flits that is generated in cycle t waits until
// the interface of its source has sent those before it, first in, first out, whatever their service. Its flits leave in
// cycles s .. s + u - 1, the first one arrives in cycle s + latency(from, to). With serial receivers the
// interface of the destination takes one flit per cycle, transfers in the order in which their first flits arrive (of
// one cycle: by source), each without a gap; with parallel ones any number of transfers arrive side by side. Delivered
// is a transfer in the cycle in which its last flit arrives: alone after latency + u - 1 cycles. A multicast leaves
// once and arrives at each of its destinations.
//
// Several ranks divide the nodes. They tell each other once per shortest latency what has left for nodes of another.

#include <cstdint>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "kernel/fabric.h"
#include "kernel/send_queue.h"
#include "parallel/part.h"

namespace weft {

struct IdealParameters {
  std::uint32_t nodes = 0;
  std::uint64_t flit_bits = 512;
  /// Cycles from a node to another, at least 1; to itself, too.
  std::function<Cycle(NodeId from, NodeId to)> latency;
  Cycle longest_latency = 1;
  Cycle shortest_latency = 1;
  bool serial_receivers = true;
  /// By service: bytes of its usual message and the flits that these are.
  struct Message {
    std::uint64_t bytes = 0;
    std::uint64_t flits = 1;
  };
  std::vector<Message> services;
};

/// Is told of arrivals before they are over; for waveforms.
class IdealArrivals {
 public:
  virtual ~IdealArrivals() = default;
  /// The first flit of a transfer is at its destination in this cycle. Its flits go through the interface there from
  /// cycle `begin` on, which is later where a serial receiver has others to take first.
  virtual void on_head(const TransferRecord& transfer, Cycle begin) = 0;
};

class IdealNetwork final : public sc_core::sc_module, public Fabric, public Agent {
 public:
  /// `domain` must outlive the network, and so must the ranks of a part, which is one of nodes.
  IdealNetwork(sc_core::sc_module_name name, ClockDomain& domain, IdealParameters parameters, const Part& part = {});

  std::uint32_t nodes() const override { return parameters_.nodes; }
  Capabilities of(ServiceId service) const override;
  ClientId attach(Client& client) override { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) override;
  /// Of the queue of sends: into the interface of its source, now.
  void enter(NodeId from, const Transfer& transfer);

  ClockDomain& domain() override { return domain_; }
  Duration tick() const override { return domain_.period(); }
  void observe(TransferObserver& observer) override { observers_.push_back(&observer); }
  /// Null: nobody.
  void watch_arrivals(IdealArrivals* watcher) { arrivals_ = watcher; }
  const TransferCounts& counts() const override { return counts_; }
  void withdraw() override;
  /// What is under way arrives in any case, so time itself is progress.
  std::uint64_t progress() const override;
  Cycle watchdog_interval() const override { return 1000 + parameters_.longest_latency; }
  std::string describe_stall() const override;
  void check_conservation(Cycle now) override;

  void due(Cycle now, std::uint32_t token) override;

 private:
  using FlightNumber = std::uint32_t;
  /// One destination of a transfer.
  struct Flight {
    TransferRecord record;
    ClientId client = 0;
    Notify notify = Notify::none;
    std::uint64_t tag = 0;
    bool foreign = false;  // its client is on another rank, and the tag is what it says there
  };
  /// One that has left for a node of another rank.
  struct FlightOnWire {
    Cycle head = 0;  // its first flit arrives
    Flight flight;
  };
  /// A transfer that waits in the interface of its source: flights [first, first + count) of the list.
  struct Waiting {
    std::vector<FlightNumber> flights;
  };
  struct Node {
    std::vector<Waiting> queue;  // first in, first out, from `next` on
    std::size_t next = 0;
    Cycle free = 0;        // first cycle in which a further transfer can leave
    bool planned = false;  // its start is on the agenda
    Cycle receives = 0;    // serial: first cycle in which a further transfer can begin to arrive
    bool waits() const { return next < queue.size(); }
  };
  enum class Step : std::uint32_t { start = 0, head = 1, deliver = 2, settle = 3, exchange = 4 };

  void plan(Cycle at, Phase phase, Step step, std::uint32_t number);
  FlightNumber new_flight();
  void send_away(FlightNumber number, Cycle head);
  void exchange(Cycle now);
  FlightNumber make_flight(NodeId from, NodeId to, const Transfer& transfer, std::uint64_t id, std::uint64_t units);
  std::uint64_t units_of(const Transfer& transfer) const;
  void plan_start(NodeId node, Cycle now);
  void start(NodeId node, Cycle now);
  void settle(Cycle now);
  void deliver(FlightNumber number, Cycle now);
  void free_flight(FlightNumber number) { free_.push_back(number); }

  ClockDomain& domain_;
  const IdealParameters parameters_;
  SendQueue<IdealNetwork> sends_;
  std::vector<TransferObserver*> observers_;
  IdealArrivals* arrivals_ = nullptr;
  TransferCounts counts_;
  std::vector<Node> nodes_;
  std::vector<Flight> flights_;
  std::vector<FlightNumber> free_;
  std::vector<FlightNumber> heads_;  // whose first flits arrive in this cycle
  std::uint64_t transfers_ = 0;      // so far
  // Of a part.
  Ranks* const ranks_;
  const std::vector<RankId> owners_;    // by node
  std::vector<RankChannel*> channels_;  // by rank; null: this one
  Cycle window_ = 1;                    // cycles between two exchanges
};

}  // namespace weft

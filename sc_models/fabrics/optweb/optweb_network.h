#pragma once
// A whole OPTWEB network: nodes node[i], all served by one clock domain, and a link from every node to every other. One
// sc_module hierarchy, so that it can stand in a larger SystemC design whose modules program the nodes over their host
// ports.

#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/program.h"
#include "fabrics/optweb/observer.h"
#include "fabrics/optweb/optweb_node.h"
#include "fabrics/optweb/ranks/optweb_cut.h"
#include "kernel/clock_domain.h"
#include "kernel/link_adapter.h"
#include "parallel/part.h"

namespace weft {

class OptwebNetwork : public sc_core::sc_module, public OptwebNames {
 public:
  /// `domain`, `config`, `programs` and `blocks` must outlive the network; the period of the domain is
  /// optweb::agenda_period(). `modules`: makes the modules of the distributed switches, those of the paper when
  /// null; needed only while the network is made. `part`: the nodes of a rank.
  OptwebNetwork(sc_core::sc_module_name name, ClockDomain& domain, const OptwebConfig& config,
                const optweb::MachinePrograms& programs, optweb::BlockFactory& blocks, OptwebModules* modules = nullptr,
                Part part = {});
  ~OptwebNetwork() override;

  ClockDomain& domain() { return domain_; }
  /// Of one that is here.
  OptwebNode& node(NodeId n) { return *nodes_[n]; }
  const OptwebNode& node(NodeId n) const { return *nodes_[n]; }
  std::uint32_t nodes() const { return static_cast<std::uint32_t>(nodes_.size()); }
  bool has_node(NodeId n) const { return nodes_[n] != nullptr; }
  const Part& part() const { return part_; }
  const NodeClock& clock_of(NodeId n) const;
  /// End of a link as this rank simulates it: of a node here, or of one on another rank with a link to a node here,
  /// which hears what comes from there. Null: there is none.
  LinkIp* link_end(NodeId node, NodeId peer) const;
  /// Those that have the other nodes; null: all are here. What is asked of them is asked on all of them.
  Ranks* ranks() const { return part_.whole() ? nullptr : part_.ranks; }
  /// Call before the first cycle.
  void add_observer(OptwebObserver& observer) { observers_.add(observer); }

  /// Names of instructions that are in no program, such as "send 64B to node 3"; without it they are those of the host.
  using HostNames = std::function<std::string(NodeId node, std::uint32_t number)>;
  void name_host_instructions(HostNames names) { host_names_ = std::move(names); }

  /// Puts the programs into the sequencers and rings their doorbells.
  void load_programs();
  /// Asks for the accesses of the hosts that the configuration names. Before time begins.
  void load_host_traffic();
  /// `stop` is asked while bytes move, of which a single cycle can have many gigabytes. When it says true, what is left
  /// of them stays where it is and only the lengths go on: for a run that is to end. Before time begins.
  void set_stop(std::function<bool()> stop) { parameters_.stop = std::move(stop); }
  /// Of the nodes here.
  bool finished() const;
  /// Nodes have clocks of their own: a cycle of domain() is none of theirs.
  bool own_clocks() const { return !config_.clocks.empty(); }
  /// Of the links between nodes; null: there is none, or it never fails.
  const optweb::LinkTimeline* timeline(NodeId from, NodeId to) const;
  /// A link is down now.
  bool any_down() const;
  /// A link is down now that will not come back.
  bool down_for_good() const;
  /// Cycles of the domain until `rest` cycles have gone by in which no link failed or was down that comes back.
  Cycle undisturbed_in(Cycle rest) const;
  /// No link will fail or come back any more.
  bool failures_over() const;
  /// Transfers by all paths that went round links that were down; null: there are no programs, or no
  /// link ever fails.
  const optweb::RouteChoice* routes() const { return routes_.get(); }
  /// Words over links: what was sent has been counted by its receiver, or is on its way, or lost on a link that did not
  /// come back. Throws RunError otherwise.
  void check_words() const;
  /// Nodes that wait, with their instruction and what they wait for, one per line; then nodes they wait for although
  /// their programs are over. `at_rest`: nothing is left to happen but failures of links.
  std::string describe_stall(bool at_rest) const;
  /// At rest: when the last of the links failed for good that nodes still need, on all ranks; -1: none.
  Picoseconds last_cut() const;
  /// Throws RunError unless every word and notification that was sent has been received, and both ends of every
  /// transfer have come to it.
  void check_conservation() const;

  const OptwebParameters& parameters() const { return parameters_; }
  /// Bytes of the memory of a node.
  std::uint64_t memory_size() const { return 2 * config_.interface_bytes * config_.stripes; }
  /// "allgather 64B", or of one of several parts "allreduce 1KiB: fence".
  std::string short_name(NodeId node, std::uint32_t number) const;

  void start_of_simulation() override;

  std::string instruction(NodeId node, std::uint32_t number) const override;
  optweb::StagedEnds staged(NodeId node, std::uint32_t number) const override;

 private:
  optweb::LinkTimeline* make_timeline(NodeId from, NodeId to, std::vector<optweb::Outage> outages);
  LinkIp& end_of(NodeId node, NodeId peer, optweb::BlockFactory& blocks);
  void connect(optweb::BlockFactory& blocks);
  /// What both ends of a link have counted.
  struct LinkCounts {
    NodeId from = kNoId;
    NodeId to = kNoId;
    std::uint64_t begun = 0;  // words of trains
    std::uint64_t sent = 0;   // words
    std::uint64_t notified = 0;
    std::uint64_t received = 0;  // words
    std::uint64_t coming = 0;    // words
    std::uint64_t notifications = 0;
  };
  std::vector<LinkCounts> link_counts() const;
  std::string unmatched() const;
  std::string lane_trouble() const;

  const OptwebConfig& config_;
  const Part part_;
  const optweb::MachinePrograms& programs_;
  OptwebParameters parameters_;
  OptwebObservers observers_;
  ClockDomain& domain_;
  TransferLedger ledger_;
  std::unique_ptr<optweb::RouteChoice> routes_;
  std::vector<std::unique_ptr<OptwebNode>> nodes_;      // null: on another rank
  std::vector<std::unique_ptr<NodeClock>> far_clocks_;  // of those
  std::unique_ptr<OptwebCut> cut_;                      // of a part
  LinkAdapters<OptwebProtocol> adapters_;
  std::vector<std::unique_ptr<optweb::LinkTimeline>> timelines_;  // by node and port; empty: no link has one
  HostNames host_names_;
};

}  // namespace weft

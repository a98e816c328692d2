#pragma once
// The part of a FiC switch that takes part in circuit setup: control sockets beside the data sockets, one message at a
// time through its processor, changes to slot LUT and slot table.
//
// Timing: requests, releases confirmed by the destination and teardowns are served in the order of their arrival (of
// one cycle: in the order of ports), t_proc cycles each; ACKs, acceptances and releases on their way to the destination
// pass at once. A message sent in cycle t arrives in cycle t + latency of its link. What the protocol does is
// in the block behind SwitchCircuitsIf: the model switch_circuits.h, or its RTL. Before it works on a request, the
// links in bundles are chosen (link_choice.h), which takes no time of its own.

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <systemc>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/setup_blocks.h"
#include "fabrics/tdm/setup/switch_access.h"
#include "fabrics/tdm/setup/switch_resources.h"
#include "fabrics/tdm/tdm_switch.h"
#include "kernel/clock_domain.h"

namespace weft {

class SetupUnit : public sc_core::sc_module, public SetupReceiver, public Agent {
 public:
  /// `site`: of the switch `data`.
  SetupUnit(sc_core::sc_module_name name, ClockDomain& domain, const Graph& graph, const BlockSite& site,
            TdmSwitch& data, const SetupTiming& timing, LinkAvailability& links, SetupBlockFactory& factory,
            const Observers& observers);
  ~SetupUnit() override;

  SetupInPort& in(PortId port) { return *in_[port]; }
  SetupOutPort& out(PortId port) { return *out_[port]; }
  /// Compares slot LUT and table with the circuits known; empty if they agree.
  std::string inconsistency() { return resources_.inconsistency(circuits_->holdings()); }
  /// Links of this switch have failed, in this cycle: circuits over them are given up; their flows are appended.
  void drop_failed(Cycle now, std::uint32_t fault, std::vector<std::uint32_t>& flows);
  /// Nothing is waiting, being processed or drained.
  bool idle() const { return arrivals_.empty() && queue_.empty() && !busy_ && circuits_->holdings().empty(); }
  std::uint64_t processed() const { return processed_; }
  /// Cycle in which it last had something to do.
  Cycle last_event() const { return last_event_; }

  void receive(PortId in, const SetupMessage& message) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  struct Job {
    PortId port = kNoPort;  // where it came in, or where it is to be sent
    bool notice = false;    // of a failure seen here: only to be sent
    SetupMessage message;
  };
  bool lost(const Job& job) const;
  void take_arrivals(Cycle now);
  void finish_job(Cycle now);
  void write_tables(Cycle now);
  void send(Cycle now);
  void plan(Cycle cycle);

  ClockDomain& domain_;
  const Graph& graph_;
  SwitchId sw_;
  TdmSwitch& data_;
  SetupTiming timing_;
  LinkAvailability& links_;
  SwitchResources resources_;
  std::unique_ptr<SwitchCircuitsIf> circuits_;
  std::vector<std::unique_ptr<SetupInPort>> in_;
  std::vector<std::unique_ptr<SetupOutPort>> out_;
  std::vector<Cycle> latency_;  // per port, of the control channel behind it: the same both ways
  std::map<Cycle, std::vector<Job>> arrivals_;
  std::deque<Job> queue_;
  bool busy_ = false;  // with the front of the queue
  Cycle done_ = 0;
  std::vector<SetupSend> outgoing_;
  std::set<Cycle> planned_;
  std::uint64_t processed_ = 0;
  Cycle last_event_ = 0;
};

}  // namespace weft

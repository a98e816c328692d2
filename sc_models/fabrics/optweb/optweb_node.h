#pragma once
// A node (FPGA) of an OPTWEB network: HBM2, M_DMAC, distributed switch with a link IP per other node, changeover switch
// and user logic, command sequencer, and a TLM-2.0 port for the host. Source: Figures 3 to 6 of the paper named in
// algorithms/optweb/link_sync.h.

#include <memory>
#include <systemc>

#include "algorithms/optweb/blocks.h"
#include "algorithms/optweb/faults/route_choice.h"
#include "fabrics/optweb/boxes/box_recorder.h"
#include "fabrics/optweb/distributed_switch.h"
#include "fabrics/optweb/hbm.h"
#include "fabrics/optweb/host_master.h"
#include "fabrics/optweb/host_port.h"
#include "fabrics/optweb/m_dmac.h"
#include "fabrics/optweb/sequencer.h"
#include "fabrics/optweb/transfer_ledger.h"
#include "fabrics/optweb/user/user_logic.h"
#include "fabrics/optweb/user/user_port.h"

namespace weft {

class OptwebNode : public sc_core::sc_module,
                   public SequencerOwner,
                   public HostPortOwner,
                   public MemoryWatcher,
                   public Agent {
 public:
  OptwebNode(sc_core::sc_module_name name, ClockDomain& agenda, const OptwebParameters& parameters,
             const optweb::NodeView& view, optweb::BlockFactory& blocks, const OptwebNames& names,
             const OptwebObservers& observers, TransferLedger& ledger, OptwebModules& modules);

  NodeId node() const { return view_.node; }
  const NodeClock& clock() const { return clock_; }
  Hbm& memory() { return memory_; }
  const Hbm& memory() const { return memory_; }
  DistributedSwitch& distributed_switch() { return switch_; }
  const DistributedSwitch& distributed_switch() const { return switch_; }
  OptwebSequencer& sequencer() { return sequencer_; }
  const OptwebSequencer& sequencer() const { return sequencer_; }
  const MDmac& m_dmac() const { return dmac_; }
  const ChangeoverSwitch& changeover() const { return changeover_; }
  HostPort& host() { return host_; }
  HostMaster& host_master() { return host_master_; }
  const HostMaster& host_master() const { return host_master_; }
  /// Loads what has been pushed into the sequencer and rings the doorbell.
  void start_program();
  /// Routes of its transfers where links fail; null: they never do. Before time begins.
  void set_routes(optweb::RouteChoice* routes) { routes_ = routes; }
  /// Another user logic, which must outlive the node.
  void set_user_logic(UserLogic& logic);
  const UserLogic& user_logic() const { return *user_logic_; }
  const UserPort& user_port() const { return user_port_; }
  /// Text of what the instruction under way is waiting for; empty when there is none.
  std::string describe_wait() const;
  /// Boundary at which its last instruction was complete; 0 when none is.
  Cycle last_completed() const { return last_completed_; }

  void issue(const optweb::MachineInstruction& instruction, std::uint32_t number, Cycle now) override;
  void completed(std::uint32_t number, Cycle now, std::uint32_t elapsed) override;
  /// Of streams of the switch and of the user logic.
  void memory_changed(std::uint32_t stripe) override;
  void due(Cycle, std::uint32_t token) override;

  void host_pushes(const optweb::MachineInstruction& instruction) override { sequencer_.push(instruction); }
  void host_starts() override { start_program(); }
  HostStatus host_status() const override { return {sequencer_.finished(), sequencer_.completed()}; }

 private:
  void record_execution(Cycle now, std::uint32_t elapsed) const;

  NodeClock clock_;
  optweb::NodeView view_;
  const OptwebNames& names_;
  const OptwebObservers& observers_;
  TransferLedger& ledger_;
  BoxRecorder boxes_;
  Hbm memory_;
  MDmac dmac_;
  DistributedSwitch switch_;
  ChangeoverSwitch changeover_;
  UserPort user_port_;
  std::unique_ptr<UserLogic> own_logic_;
  UserLogic* user_logic_ = own_logic_.get();
  OptwebSequencer sequencer_;
  HostMaster host_master_;
  HostPort host_;
  OptwebExecution execution_;  // under way
  Cycle issued_ = 0;
  optweb::Units running_ = 0;
  Cycle last_completed_ = 0;
  optweb::RouteChoice* routes_ = nullptr;
};

}  // namespace weft

#pragma once
// A whole FiC network: switches, hosts, links, and the controller that puts circuits in place.
//
// Built from a checked configuration, a graph and the plans of its phases; one sc_module hierarchy, so that it can
// stand in a larger SystemC design. Switches are named sw[i], hosts host[i].

#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/blocks.h"
#include "fabrics/tdm/controller.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/remote_messages.h"
#include "fabrics/tdm/shared_unit.h"
#include "fabrics/tdm/tdm_carrier.h"
#include "fabrics/tdm/tdm_host.h"
#include "fabrics/tdm/tdm_switch.h"
#include "kernel/clock_domain.h"
#include "kernel/large_network.h"
#include "kernel/link_adapter.h"
#include "network/graph.h"
#include "parallel/part.h"

namespace weft {

class TdmNetwork : public sc_core::sc_module, public TdmHostOwner, public ObservedNetwork {
 public:
  /// `supply` feeds all circuits; it and `domain`, `graph`, `phases`, `factory` must outlive the network. `order`: see
  /// TdmController. Of several ranks each builds the switches and hosts of its part.
  TdmNetwork(sc_core::sc_module_name name, ClockDomain& domain, const TdmConfig& config, const Graph& graph,
             const std::vector<PhasePlan>& phases, BlockFactory& factory, MessageSupply& supply,
             std::vector<std::uint32_t> order = {}, const Part& part = {});
  ~TdmNetwork() override;

  ClockDomain& domain() { return domain_; }
  const ClockDomain& domain() const { return domain_; }
  // Of a part, those that are there.
  TdmSwitch& sw(SwitchId id) { return *switches_[id]; }
  TdmHost& host(NodeId id) { return *hosts_[id]; }
  bool has_host(NodeId id) const { return hosts_[id] != nullptr; }
  /// Null: the whole network is here.
  RemoteMessages* remote() { return remote_.get(); }
  /// Calls `finished` when the last phase is over; on several ranks, once all of them know. Before time begins.
  void when_finished(std::function<void()> finished) { controller_->when_finished(std::move(finished)); }
  const TdmController& controller() const { return *controller_; }
  const MessageStore& messages() const { return store_; }
  const Graph& graph() const { return graph_; }
  const std::vector<PhasePlan>& phases() const { return phases_; }

  std::string path() const override { return name(); }
  void add_observer(TdmObserver& observer) override { observers_.add(observer); }
  void observe_cycles(std::function<Cycle(Cycle)> wants) override;
  /// "message 3 of circuit 7 (0 -> 5)", for messages under way.
  std::string describe_message(MessageId id) const;
  const CircuitPlan& circuit(CircuitId id) const { return *circuits_[id]; }

  void circuit_finished(CircuitId circuit) override;
  void message_delivered(const DeliveryEvent& event) override;

 protected:
  void start_of_simulation() override { join_pages_of_large(graph_); }

 private:
  void cut(const TdmConfig& config, const std::vector<Cycle>& adapters, const Part& part);
  void add_circuits(MessageSupply& supply);
  void share_units(const TdmConfig& config);

  const Graph& graph_;
  const std::vector<PhasePlan>& phases_;
  Observers observers_;
  MessageStore store_;
  ClockDomain& domain_;
  std::vector<const CircuitPlan*> circuits_;
  std::vector<std::unique_ptr<TdmSwitch>> switches_;
  std::vector<std::unique_ptr<TdmHost>> hosts_;
  std::vector<std::unique_ptr<SharedUnit>> units_;  // of boards that are waited for
  LinkAdapters<TdmProtocol> adapters_;
  // Of a part.
  std::unique_ptr<RemoteMessages> remote_;
  std::unique_ptr<TdmCarrier> carrier_;
  std::unique_ptr<TdmCut> cut_;
  std::unique_ptr<TdmController> controller_;
};

}  // namespace weft

#include "fabrics/tdm/remote_messages.h"

#include <algorithm>

namespace weft {

RemoteMessages::RemoteMessages(const Graph& graph, const Part& part, const std::vector<PhasePlan>& phases,
                               MessageStore& store)
    : store_(store) {
  for (const PhasePlan& phase : phases) {
    for (const CircuitPlan& plan : phase.circuits) {
      Circuit& c = circuits_.emplace_back();
      c.lanes = static_cast<std::uint32_t>(plan.injection.size());
      for (const NodeId d : plan.destinations) c.destinations += part.has_node(graph, d) ? 1 : 0;
      for (const TreeEdge& edge : phase.flows[plan.flow].trees[plan.tree].edges) {
        if (graph.is_injection(edge.link)) continue;
        const PortRef from = graph.driver(edge.link);
        const SwitchId to = graph.peer(from.sw, from.port).sw;
        if (to == kNoId || part.has_switch(from.sw) == part.has_switch(to)) continue;
        c.crosses = true;
        c.exits += part.has_switch(from.sw) ? 1 : 0;
      }
    }
  }
}

void RemoteMessages::keep(MessageId id, const TdmCargo& cargo) {
  here_[key(store_[id])] = id;
  if (cargo_.size() <= id) cargo_.resize(id + 1);
  cargo_[id] = cargo;
}

void RemoteMessages::on_inject(NodeId, std::uint32_t, const Train& train) {
  if (train.first_word != 0 || !circuits_[train.circuit].crosses) return;
  keep(train.message, owner_ == nullptr ? TdmCargo{} : owner_->cargo(store_[train.message].user));
}

void RemoteMessages::write(ByteWriter& out, MessageId id) {
  if (store_[id].open_deliveries == 0) throw RunError("internal: a train leaves a rank after its message");
  out.put(store_[id]);
  out.put(cargo_.at(id));
  store_.delivered(id);
  settle(id);
}

MessageId RemoteMessages::read(ByteReader& in) {
  auto message = in.get<TdmMessage>();
  const auto cargo = in.get<TdmCargo>();
  if (const auto found = here_.find(key(message)); found != here_.end()) return found->second;
  const Circuit& c = circuits_.at(message.circuit);
  message.open_deliveries = c.destinations + c.exits * std::min(c.lanes, message.words);
  message.user = owner_ == nullptr ? 0 : owner_->take_cargo(message, cargo);
  const MessageId id = store_.take_over(message);
  keep(id, cargo);
  return id;
}

}  // namespace weft

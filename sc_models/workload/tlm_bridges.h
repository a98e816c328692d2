#pragma once
// All bridges of a network (workload/tlm_bridge.h), its address map, and the messages between them.

#include <cstdint>
#include <map>
#include <memory>
#include <systemc>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "kernel/fabric.h"
#include "workload/address_map.h"
#include "workload/tlm_bridge.h"

namespace weft {

/// Services that carry requests and answers. With two of them reads and writes of one node to another are not ordered
/// with each other.
struct TlmServices {
  TlmServices(ServiceId both = 0) : reads(both), writes(both) {}
  TlmServices(ServiceId of_reads, ServiceId of_writes) : reads(of_reads), writes(of_writes) {}
  ServiceId reads;
  ServiceId writes;
};

class TlmBridges final : public Client, private TlmCarrier {
 public:
  /// `nodes`: where bridges are wanted. The fabric must outlive the bridges; before its first cycle.
  TlmBridges(Fabric& fabric, const std::vector<NodeId>& nodes, const TlmServices& services);

  /// Addresses [base, base + size) belong to the target at `node` and are numbered from 0 there.
  /// Throws InputError when the region is empty, overlaps another, or `node` has no bridge, and no target once modules
  /// are bound.
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node);
  /// Throws InputError for a node without a bridge.
  TlmBridge& at(NodeId node);
  /// At the end of elaboration: an sc_report error for a node that owns addresses and has no target.
  void check_targets() const;

  void left(std::uint64_t tag, Cycle at) override;
  void arrived(std::uint64_t tag, NodeId node, Cycle at) override;
  void lost(std::uint64_t tag, NodeId node, Cycle at, std::string_view cause) override;

 private:
  /// Requests from one node to another on one service: the network may change their order, their target does not see
  /// it.
  struct Turns {
    std::uint64_t given = 0;
    std::uint64_t next = 0;
    std::map<std::uint64_t, TlmTransaction*> early;  // null: lost
  };
  const AddressRegion* find(sc_dt::uint64 address, unsigned int length) const;
  std::optional<Place> owner(sc_dt::uint64 address, unsigned int length) const override;
  sc_core::sc_time next_cycle() const override;
  bool request(TlmTransaction& transaction) override;
  bool answer(TlmTransaction& transaction) override;
  void answer_at_once(TlmTransaction& transaction) override;
  unsigned int debug(TlmPayload& payload, NodeId node) override;
  bool send(NodeId from, NodeId to, std::uint64_t bytes, TlmTransaction& transaction, bool answer);
  void in_turn(TlmTransaction& transaction, TlmTransaction* arrived);
  ServiceId service_of(const TlmTransaction& transaction) const;
  Turns& turns_of(const TlmTransaction& transaction);

  Fabric& fabric_;
  const TlmServices services_;
  const ClientId client_;
  std::uint64_t last_number_ = 0;
  std::unordered_map<std::uint64_t, TlmTransaction*> under_way_;
  std::unordered_map<std::uint64_t, NodeId> leaving_;  // answers that have not left this node
  std::map<std::tuple<NodeId, NodeId, ServiceId>, Turns> turns_;
  std::vector<AddressRegion> regions_;
  std::unordered_map<NodeId, std::unique_ptr<TlmBridge>> bridges_;
};

}  // namespace weft

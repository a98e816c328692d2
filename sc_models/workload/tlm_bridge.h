#pragma once
// Bridges between a user's own TLM-2.0 modules and a network: one bridge per node, base protocol on both sides, over
// the endpoints of any fabric.
//
// initiator_side  target socket for the user's initiator at this node. A transaction is decoded by address, sent to the
//                 node that owns the address, performed there, and the answer sent back; b_transport returns when it
//                 has arrived. Both ways take the time of the network. Non-blocking calls work too (the socket converts
//                 them).
// target_side     initiator socket for the user's target at this node.
// Either may be left unbound; map() a node only if its target_side is bound.
//
// A request is a header of 16 bytes (command, address, length), and for writes the data; an answer is a header of 4
// bytes (response status), and for reads the data. Each is a transfer of one service; a request or answer that is made
// at a time t enters the network in the first cycle after t. Requests to a target are served one after the other; of
// those to the node itself nothing passes the network. Errors: an address nobody owns, or a range that crosses the end
// of a region: TLM_ADDRESS_ERROR_RESPONSE, at once; nodes that the fabric cannot carry transfers between, such as
// without a circuit: an sc_report error and TLM_GENERIC_ERROR_RESPONSE; a request or answer that is lost, since links
// have failed: TLM_GENERIC_ERROR_RESPONSE. Byte enables and streaming widths shorter than the data are passed on as
// they are. DMI is refused (there is a network in between); transport_dbg goes straight to the target, in no time.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "kernel/fabric.h"

namespace weft {

class TlmBridges;

class TlmBridge : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TlmBridge);
  TlmBridge(sc_core::sc_module_name name, NodeId node, TlmBridges& all);
  tlm_utils::simple_target_socket_optional<TlmBridge> initiator_side;
  tlm_utils::simple_initiator_socket_optional<TlmBridge> target_side;

 private:
  friend class TlmBridges;
  struct Transaction {
    tlm::tlm_generic_payload* payload = nullptr;
    NodeId from = 0;
    NodeId to = 0;
    sc_dt::uint64 local_address = 0;
    std::uint64_t number = 0;
    sc_core::sc_event done;
  };
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(tlm::tlm_generic_payload& payload);
  void serve();
  void request_arrived(Transaction& transaction);

  NodeId node_;
  TlmBridges& all_;
  std::deque<Transaction*> requests_;
  sc_core::sc_event request_event_;
};

/// All bridges of a network, its address map, and the messages between them.
class TlmBridges final : public Client {
 public:
  /// `nodes`: where bridges are wanted. `service`: that of requests and answers. The fabric must outlive the bridges;
  /// before its first cycle.
  TlmBridges(Fabric& fabric, const std::vector<NodeId>& nodes, ServiceId service);

  /// Addresses [base, base + size) belong to the target at `node` and are numbered from 0 there.
  /// Throws InputError when the region is empty, overlaps another, or `node` has no bridge.
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node);
  /// Throws InputError for a node without a bridge.
  TlmBridge& at(NodeId node);

  void arrived(std::uint64_t tag, NodeId node, Cycle at) override;
  void lost(std::uint64_t tag, NodeId node, Cycle at) override;

 private:
  friend class TlmBridge;
  struct Region {
    sc_dt::uint64 base;
    sc_dt::uint64 size;
    NodeId node;
  };
  const Region* find(sc_dt::uint64 address, unsigned int length) const;
  /// False when the fabric does not take it; it has been reported then.
  bool send(NodeId from, NodeId to, std::uint64_t bytes, TlmBridge::Transaction& transaction, bool answer);

  Fabric& fabric_;
  const ServiceId service_;
  const ClientId client_;
  std::uint64_t last_number_ = 0;
  std::unordered_map<std::uint64_t, TlmBridge::Transaction*> under_way_;
  std::vector<Region> regions_;
  std::unordered_map<NodeId, std::unique_ptr<TlmBridge>> bridges_;
};

}  // namespace weft

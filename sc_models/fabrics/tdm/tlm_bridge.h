#pragma once
// Bridges between a user's own TLM-2.0 modules and a FiC network: one bridge per node, base protocol on both sides.
//
// initiator_side  target socket for the user's initiator at this node. A transaction is decoded by address, sent
//                 over the circuit to the node that owns the address, performed there, and the answer sent back over
//                 the circuit in the other direction; b_transport returns when it has arrived. Both ways take the time
//                 of the network, slot waits included. Non-blocking calls work too (the socket converts them).
// target_side     initiator socket for the user's target at this node.
// Either may be left unbound; map() a node only if its target_side is bound.
//
// A request is a header of 16 bytes (command, address, length), and for writes the data; an answer is a header of 4
// bytes (response status), and for reads the data. Both are cut into words of the network. Requests to a target are
// served one after the other. Errors: an address nobody owns, or a range that crosses the end of a region:
// TLM_ADDRESS_ERROR_RESPONSE, at once; no circuits between two bridges:
// an sc_report error; byte enables and streaming widths shorter than the data are passed on as they
// are. DMI is refused (there is a network in between); transport_dbg goes straight to the target, in no time.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/tdm_host.h"
#include "fabrics/tdm/tdm_network.h"

namespace weft {

/// Messages that bridges (or other code of the user) put on circuits while time goes on.
class QueueSupply final : public MessageSupply {
 public:
  std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) override;
  bool finished(CircuitId) const override { return false; }
  void push(CircuitId circuit, const MessageOffer& offer) { queues_[circuit].push_back(offer); }

 private:
  std::unordered_map<CircuitId, std::deque<MessageOffer>> queues_;
};

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
class TlmBridges final : public TdmObserver {
 public:
  /// `nodes`: where bridges are wanted. Every pair of bridges that talks needs a circuit of one destination each way.
  TlmBridges(TdmNetwork& network, QueueSupply& supply, std::int64_t word_bits, const std::vector<NodeId>& nodes);

  /// Addresses [base, base + size) belong to the target at `node` and are numbered from 0 there.
  /// Throws InputError when the region is empty, overlaps another, or `node` has no bridge.
  void map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node);
  TlmBridge& at(NodeId node);

  void on_deliver(const DeliveryEvent& event) override;

 private:
  friend class TlmBridge;
  struct Region {
    sc_dt::uint64 base;
    sc_dt::uint64 size;
    NodeId node;
  };
  const Region* find(sc_dt::uint64 address, unsigned int length) const;
  bool connected(NodeId a, NodeId b) const;
  void send(NodeId from, NodeId to, std::uint64_t bytes, TlmBridge::Transaction& transaction, bool answer);

  TdmNetwork& network_;
  QueueSupply& supply_;
  std::int64_t word_bits_;
  std::uint64_t last_number_ = 0;
  std::unordered_map<std::uint64_t, TlmBridge::Transaction*> under_way_;
  std::vector<Region> regions_;
  std::unordered_map<NodeId, std::unique_ptr<TlmBridge>> bridges_;
  std::unordered_map<std::uint64_t, CircuitId> circuits_;  // by (from << 32) | to
};

}  // namespace weft

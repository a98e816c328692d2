#pragma once
// Bridge between a user's own TLM-2.0 modules and a node of a network: base protocol (IEEE 1666-2011, clause 15) on
// both sides, over the endpoints of any fabric.
//
// initiator_side  target socket for the user's initiator at this node. A transaction is decoded by address, sent to the
//                 node that owns the address, performed there, and the answer sent back.
// target_side     initiator socket for the user's target at this node.
// Either may be left unbound; map() a node only if its target_side is bound.
//
// Loosely timed: b_transport first waits until the initiator's local time has come, then returns when the answer has
// arrived, with a delay of 0. Any number of threads may call it on one socket.
//
// Approximately timed (nb_transport): END_REQ comes in the first cycle of the network after BEGIN_REQ, the one in which
// the request enters the network, or later, when one of the `outstanding` transactions that a socket may have is over:
// at its END_RESP. BEGIN_RESP comes when the answer has arrived, one after the other, in the order of arrival; those of
// transactions with the same TlmId in the order of their requests, errors included. Nothing is completed early.
//
// Targets are called with b_transport, one request after the other, or with nb_transport when `approximately_timed`:
// then up to `target_outstanding` requests are there at once, each until its answer has left for the network, and the
// target answers in any order. Requests of one node to another come in the order in which they were made, whatever the
// network does to their order; reads and writes with each other only if they have the same service.
//
// A request is a header of 16 bytes (command, address, length), and for writes the data; an answer is a header of 4
// bytes (response status), and for reads the data. Each is a transfer of one service; a request or answer that is made
// at a time t enters the network in the first cycle after t; of those to the node itself nothing passes the network.
// Errors: an address nobody owns, or a range that crosses the end of a region: TLM_ADDRESS_ERROR_RESPONSE, without a
// way through the network; nodes that the fabric cannot carry transfers between, such as without a circuit: an
// sc_report error and TLM_GENERIC_ERROR_RESPONSE; a request or answer that is lost, since links have failed:
// TLM_GENERIC_ERROR_RESPONSE. A call against the protocol is an sc_report error and has no effect. Byte enables and
// streaming widths are passed on as they are. DMI is refused (there is a network in between); transport_dbg goes
// straight to the target, in no time.

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>

#include "base/ids.h"
#include "base/units.h"
#include "workload/tlm_phases.h"

namespace weft {

struct TlmBridgeOptions {
  std::uint32_t outstanding = 16;    ///< transactions that the initiator may have under way by nb_transport, at least 1
  bool approximately_timed = false;  ///< the target is called with nb_transport
  std::uint32_t target_outstanding = 16;  ///< requests that are with it at once then, at least 1
};

/// A transaction on its way.
struct TlmTransaction {
  TlmPayload* payload = nullptr;
  NodeId from = 0;
  NodeId to = 0;
  sc_dt::uint64 address = 0;        ///< as the initiator gave it
  sc_dt::uint64 local_address = 0;  ///< of the target
  std::uint64_t number = 0;         ///< among all of the network, for tags
  std::uint64_t turn = 0;           ///< among those from this node to that one
  bool blocking = false;            ///< made by b_transport
  sc_core::sc_event done;           ///< for b_transport
};

/// What is between bridges.
class TlmCarrier {
 public:
  struct Place {
    NodeId node;
    sc_dt::uint64 address;     ///< of the target there
    bool approximately_timed;  ///< it is called with nb_transport
  };
  virtual ~TlmCarrier() = default;
  /// The target that owns all these addresses; none if no single one does.
  virtual std::optional<Place> owner(sc_dt::uint64 address, unsigned int length) const = 0;
  /// From now to the first cycle after the present moment.
  virtual sc_core::sc_time next_cycle() const = 0;
  /// The request goes to its target. False when the network does not take it; it has been reported then, and the
  /// response says so.
  virtual bool request(TlmTransaction& transaction) = 0;
  /// Likewise the answer to its initiator.
  virtual bool answer(TlmTransaction& transaction) = 0;
  /// It arrives there without the network.
  virtual void answer_at_once(TlmTransaction& transaction) = 0;
  virtual unsigned int debug(TlmPayload& payload, NodeId node) = 0;
};

class TlmBridge : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(TlmBridge);
  TlmBridge(sc_core::sc_module_name name, NodeId node, TlmCarrier& carrier);
  ~TlmBridge() override;
  tlm_utils::simple_target_socket_optional<TlmBridge> initiator_side;
  tlm_utils::simple_initiator_socket_optional<TlmBridge> target_side;

  /// Before time begins. Throws InputError for limits of 0.
  void configure(const TlmBridgeOptions& options);

 private:
  friend class TlmBridges;

  // The initiator's side.
  void b_transport(TlmPayload& payload, sc_core::sc_time& delay);
  unsigned int transport_dbg(TlmPayload& payload);
  tlm::tlm_sync_enum nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  sc_core::sc_time accepted(TlmPayload& payload);
  void answer_arrived(TlmTransaction& transaction);
  std::unique_ptr<TlmTransaction> transaction_of(TlmPayload& payload, const TlmCarrier::Place& place) const;

  // The target's side.
  void request_arrived(TlmTransaction& transaction);
  void answer_left();
  void serve();
  void ask();
  tlm::tlm_sync_enum nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void performed(TlmTransaction& transaction);

  void misused(const std::string& what) const;

  const NodeId node_;
  TlmCarrier& carrier_;
  TlmBridgeOptions options_;

  std::unordered_map<TlmPayload*, std::unique_ptr<TlmTransaction>> initiated_;  // by nb_transport
  TlmTargetPhases to_initiator_;

  std::deque<TlmTransaction*> requests_;
  std::unordered_map<TlmPayload*, TlmTransaction*> with_target_;
  std::uint32_t places_ = 0;  // that are taken, of `target_outstanding`
  sc_core::sc_event request_event_;
  sc_core::sc_event_queue left_event_{"left"};  // an answer has left
  TlmInitiatorPhases to_target_;
};

}  // namespace weft

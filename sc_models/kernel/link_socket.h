#pragma once
// The two ends of a link between modules: TLM-2.0 sockets with a protocol of the project's own, non-blocking transport
// only, every call answered TLM_COMPLETED and annotated with the delay after which what it carries arrives. Forward
// calls carry data; protocols with flow control send credits over the backward path.

#include <systemc>
#include <tlm>

#include "base/ids.h"
#include "network/graph.h"

namespace weft {

/// The receiving side's owner.
template <class Protocol>
class LinkReceiver {
 public:
  virtual ~LinkReceiver() = default;
  virtual void receive(PortId in, const typename Protocol::tlm_payload_type& transfer) = 0;
};

/// The sending side's owner, for protocols with a backward path.
template <class Protocol>
class LinkSender {
 public:
  virtual ~LinkSender() = default;
  virtual void answer(PortId out, const typename Protocol::tlm_payload_type& transfer) = 0;
};

template <class Protocol>
class LinkOutPort;

/// Receiving end of a link: socket plus the forward interface behind it.
template <class Protocol>
class LinkInPort final : public tlm::tlm_fw_transport_if<Protocol> {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  LinkInPort(const char* name, LinkReceiver<Protocol>& owner, PortId port) : owner_(owner), port_(port), socket(name) {
    socket.bind(*this);
  }

 private:
  // Beside the pointer to the virtual functions, not behind the large socket: a call touches few cache lines.
  LinkReceiver<Protocol>& owner_;
  tlm::tlm_bw_transport_if<Protocol>* sender_ = nullptr;
  PortId port_;

 public:
  tlm::tlm_target_socket<32, Protocol> socket;
  /// Receiving owner; lets a sender that is bound straight to this port find it.
  LinkReceiver<Protocol>& owner() const { return owner_; }
  PortId port() const { return port_; }

  /// The sending port that is bound straight to this one, null when something was put between. From the end of
  /// elaboration on.
  const LinkOutPort<Protocol>* peer() { return dynamic_cast<LinkOutPort<Protocol>*>(socket.operator->()); }

  void answer(Payload& transfer, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    if (sender_ == nullptr) sender_ = socket.operator->();
    sender_->nb_transport_bw(transfer, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_fw(Payload& transfer, tlm::tlm_phase&, sc_core::sc_time&) override {
    owner_.receive(port_, transfer);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(Payload&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("weft/link", "links carry data by nb_transport_fw only");
  }
  bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(Payload&) override { return 0; }
};

/// Sending end of a link. Without an owner the protocol has no backward path.
template <class Protocol>
class LinkOutPort final : public tlm::tlm_bw_transport_if<Protocol> {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  explicit LinkOutPort(const char* name, LinkSender<Protocol>* owner = nullptr, PortId port = 0)
      : owner_(owner), port_(port), socket(name) {
    socket.bind(*this);
  }

 private:
  LinkSender<Protocol>* owner_;
  tlm::tlm_fw_transport_if<Protocol>* receiver_ = nullptr;
  PortId port_;

 public:
  tlm::tlm_initiator_socket<32, Protocol> socket;
  /// Owner that takes the answers, null when there is no backward path.
  LinkSender<Protocol>* owner() const { return owner_; }
  PortId port() const { return port_; }

  /// The receiving port that is bound straight to this one, null when something was put between. From the end of
  /// elaboration on.
  const LinkInPort<Protocol>* peer() { return dynamic_cast<LinkInPort<Protocol>*>(socket.operator->()); }

  void send(Payload& transfer, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    if (receiver_ == nullptr) receiver_ = socket.operator->();
    receiver_->nb_transport_fw(transfer, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(Payload& transfer, tlm::tlm_phase&, sc_core::sc_time&) override {
    if (owner_ != nullptr) owner_->answer(port_, transfer);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

/// Forward path of a link: straight to the receiving owner when its port is bound to the sending one, by transport
/// calls when something was put between (a probe, a user's module). It is small and lies with what its module needs
/// beside it, so that a transfer touches a line of the cache instead of four that depend on each other.
template <class Protocol>
class LinkForwardPath {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  /// To be called at the end of elaboration; `port` must outlive this.
  void resolve(LinkOutPort<Protocol>& port) {
    const auto* peer = port.peer();
    straight_ = peer != nullptr;
    if (straight_) {
      receiver_ = &peer->owner();
      port_ = peer->port();
    } else {
      socket_ = &port;
    }
  }
  /// Receiving owner when nothing is between, else null.
  LinkReceiver<Protocol>* straight() const { return straight_ ? receiver_ : nullptr; }
  void send(Payload& transfer, const sc_core::sc_time& delay) const {
    if (straight_) {
      receiver_->receive(port_, transfer);
    } else {
      socket_->send(transfer, delay);
    }
  }

 private:
  union {
    LinkReceiver<Protocol>* receiver_ = nullptr;  // when straight
    LinkOutPort<Protocol>* socket_;
  };
  PortId port_ = 0;
  bool straight_ = false;
};

/// Backward path of a link, for the answers of a receiving port, resolved alike.
template <class Protocol>
class LinkBackwardPath {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  void resolve(LinkInPort<Protocol>& port) {
    const auto* peer = port.peer();
    straight_ = peer != nullptr && peer->owner() != nullptr;
    if (straight_) {
      sender_ = peer->owner();
      port_ = peer->port();
    } else {
      socket_ = &port;
    }
  }
  /// Owner that takes the answers when nothing is between, else null.
  LinkSender<Protocol>* straight() const { return straight_ ? sender_ : nullptr; }
  void answer(Payload& transfer, const sc_core::sc_time& delay) const {
    if (straight_) {
      sender_->answer(port_, transfer);
    } else {
      socket_->answer(transfer, delay);
    }
  }

 private:
  union {
    LinkSender<Protocol>* sender_ = nullptr;  // when straight
    LinkInPort<Protocol>* socket_;
  };
  PortId port_ = 0;
  bool straight_ = false;
};

// Binds the sockets of a network as its graph says: every output of a switch to the input at the other end of its link,
// and every node to the port it is attached to, both ways.

/// `switches[s]` has out(port) and in(port), `nodes[n]` has out() and in(), each with a member `socket`.
template <class Switches, class Nodes>
void bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      const PortRef peer = graph.peer(s, p);
      if (peer.sw != kNoId) switches[s]->out(p).socket.bind(switches[peer.sw]->in(peer.port).socket);
    }
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    const PortRef at = graph.attachment(n);
    nodes[n]->out().socket.bind(switches[at.sw]->in(at.port).socket);
    switches[at.sw]->out(at.port).socket.bind(nodes[n]->in().socket);
  }
}

}  // namespace weft

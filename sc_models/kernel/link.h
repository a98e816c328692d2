#pragma once
// The two ends of a link between modules, with a protocol of the project's own: forward calls carry data; protocols
// with flow control send credits over the backward path. A call says in which cycle what it carries arrives.
//
// A link is two pointers: nothing of the SystemC kernel stands between two modules of a network, of which there are
// tens of thousands. Where somebody wants to stand between (a probe, a longer cable, a module of a user), each end
// gives a TLM-2.0 socket when it is asked for one: non-blocking transport only, every call answered TLM_COMPLETED.

#include <memory>
#include <string>
#include <systemc>
#include <tlm>

#include "base/diagnostics.h"
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

/// Receiving end of a link.
template <class Protocol>
class LinkInPort final {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  using Socket = tlm::tlm_target_socket<32, Protocol>;
  LinkInPort(LinkReceiver<Protocol>& owner, PortId port) : owner_(&owner), port_(port) {}
  LinkInPort(const LinkInPort&) = delete;
  LinkInPort& operator=(const LinkInPort&) = delete;

  LinkReceiver<Protocol>& owner() const { return *owner_; }
  PortId port() const { return port_; }
  /// The sending port that is bound straight to this one, null when something stands between.
  const LinkOutPort<Protocol>* peer() const { return peer_; }
  bool bound() const { return peer_ != nullptr || end_ != nullptr; }
  /// Socket for a module of somebody else's, made when first asked for, under this name in the module under
  /// construction. Instead of bind().
  Socket& socket(const char* name) {
    if (!end_) end_ = std::make_unique<End>(name, *owner_, port_);
    return end_->socket;
  }

  void answer(Payload& transfer, sc_core::sc_time delay);

 private:
  friend class LinkOutPort<Protocol>;
  struct End final : tlm::tlm_fw_transport_if<Protocol> {
    End(const char* name, LinkReceiver<Protocol>& its_owner, PortId its_port)
        : socket(name), owner(its_owner), port(its_port) {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_fw(Payload& transfer, tlm::tlm_phase&, sc_core::sc_time&) override {
      owner.receive(port, transfer);
      return tlm::TLM_COMPLETED;
    }
    void b_transport(Payload&, sc_core::sc_time&) override {
      SC_REPORT_ERROR("weft/link", "links carry data by nb_transport_fw only");
    }
    bool get_direct_mem_ptr(Payload&, tlm::tlm_dmi&) override { return false; }
    unsigned int transport_dbg(Payload&) override { return 0; }
    Socket socket;
    LinkReceiver<Protocol>& owner;
    PortId port;
  };

  LinkReceiver<Protocol>* owner_;
  const LinkOutPort<Protocol>* peer_ = nullptr;
  std::unique_ptr<End> end_;
  PortId port_;
};

/// Sending end of a link. Without an owner the protocol has no backward path.
template <class Protocol>
class LinkOutPort final {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  using Socket = tlm::tlm_initiator_socket<32, Protocol>;
  explicit LinkOutPort(LinkSender<Protocol>* owner = nullptr, PortId port = 0) : owner_(owner), port_(port) {}
  LinkOutPort(const LinkOutPort&) = delete;
  LinkOutPort& operator=(const LinkOutPort&) = delete;

  /// Owner that takes the answers, null when there is no backward path.
  LinkSender<Protocol>* owner() const { return owner_; }
  PortId port() const { return port_; }
  /// The receiving port that is bound straight to this one, null when something stands between.
  const LinkInPort<Protocol>* peer() const { return peer_; }
  bool bound() const { return peer_ != nullptr || end_ != nullptr; }
  /// Both ways. Both must outlive the network's last transfer.
  void bind(LinkInPort<Protocol>& in) {
    peer_ = &in;
    in.peer_ = this;
  }
  /// As of LinkInPort.
  Socket& socket(const char* name) {
    if (!end_) end_ = std::make_unique<End>(name, owner_, port_);
    return end_->socket;
  }

  void send(Payload& transfer, sc_core::sc_time delay) {
    if (peer_ != nullptr) {
      peer_->owner().receive(peer_->port(), transfer);
      return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    end_->socket->nb_transport_fw(transfer, phase, delay);
  }

 private:
  struct End final : tlm::tlm_bw_transport_if<Protocol> {
    End(const char* name, LinkSender<Protocol>* its_owner, PortId its_port)
        : socket(name), owner(its_owner), port(its_port) {
      socket.bind(*this);
    }
    tlm::tlm_sync_enum nb_transport_bw(Payload& transfer, tlm::tlm_phase&, sc_core::sc_time&) override {
      if (owner != nullptr) owner->answer(port, transfer);
      return tlm::TLM_COMPLETED;
    }
    void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
    Socket socket;
    LinkSender<Protocol>* owner;
    PortId port;
  };

  LinkSender<Protocol>* owner_;
  const LinkInPort<Protocol>* peer_ = nullptr;
  std::unique_ptr<End> end_;
  PortId port_;
};

template <class Protocol>
void LinkInPort<Protocol>::answer(Payload& transfer, sc_core::sc_time delay) {
  if (peer_ != nullptr) {
    if (peer_->owner() != nullptr) peer_->owner()->answer(peer_->port(), transfer);
    return;
  }
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  end_->socket->nb_transport_bw(transfer, phase, delay);
}

/// Throws RunError when nothing is bound to a port.
template <class Port>
void check_bound(const Port& port) {
  if (!port.bound()) throw RunError("a link of the network has one end only: port " + std::to_string(port.port()));
}

/// Forward path of a link: straight to the receiving owner when its port is bound to the sending one, by transport
/// calls when something was put between (a probe, a user's module). It is small and lies with what its module needs
/// beside it, so that a transfer touches a line of the cache instead of four that depend on each other.
template <class Protocol>
class LinkForwardPath {
 public:
  using Payload = typename Protocol::tlm_payload_type;
  /// To be called at the end of elaboration; `port` must outlive this.
  void resolve(LinkOutPort<Protocol>& port) {
    check_bound(port);
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
    check_bound(port);
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

// Binds the ports of a network as its graph says: every output of a switch to the input at the other end of its link,
// and every node to the port it is attached to, both ways.

/// `switches[s]` has out(port) and in(port), `nodes[n]` has out() and in(), or out(i) and in(i) where nodes may have
/// several links; what is null is not there, and a node is where its switch is. Calls bind(link, out, in) for every
/// directed link, with null for the end that is not there, unless neither is.
template <class Switches, class Nodes, class Bind>
void bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes, Bind&& bind) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    for (PortId p = 0; p < graph.ports(s); ++p) {
      const PortRef peer = graph.peer(s, p);
      if (peer.sw == kNoId || (switches[s] == nullptr && switches[peer.sw] == nullptr)) continue;
      bind(graph.out_link(s, p), switches[s] == nullptr ? nullptr : &switches[s]->out(p),
           switches[peer.sw] == nullptr ? nullptr : &switches[peer.sw]->in(peer.port));
    }
  }
  for (NodeId n = 0; n < graph.nodes(); ++n) {
    if (nodes[n] == nullptr) continue;
    const PortRef at = graph.attachment(n);
    if constexpr (requires { nodes[n]->out(0); }) {
      for (std::uint32_t i = 0; i < graph.node_links(); ++i) {
        const auto port = static_cast<PortId>(at.port + i);
        bind(graph.injection_link(n, i), &nodes[n]->out(i), &switches[at.sw]->in(port));
        bind(graph.out_link(at.sw, port), &switches[at.sw]->out(port), &nodes[n]->in(i));
      }
    } else {
      bind(graph.injection_link(n), &nodes[n]->out(), &switches[at.sw]->in(at.port));
      bind(graph.out_link(at.sw, at.port), &switches[at.sw]->out(at.port), &nodes[n]->in());
    }
  }
}

/// Binds them straight to each other.
template <class Switches, class Nodes>
void bind_links(const Graph& graph, const Switches& switches, const Nodes& nodes) {
  bind_links(graph, switches, nodes, [](LinkId, auto* from, auto* to) { from->bind(*to); });
}

}  // namespace weft

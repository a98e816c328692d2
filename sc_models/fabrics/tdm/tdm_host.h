#pragma once
// Host (compute node) of a FiC network: streams messages over its circuits and puts arriving words together again.
//
// A node may have several links to its switch; a slot of a circuit has one of them.
//
// Sending: the messages of a circuit go one after the other, to the host's interface (host_interface.h), which sends
// their words in the slots of the circuit. A source unit that is slower than the link makes messages wait
// (source_unit.h); it turns to a message when the one before it on its circuit has been begun. Receiving: a message is
// delivered in the cycle its last word arrives. Checked for every message: it was meant for this host, it is complete,
// and it comes in the order of its circuit.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <unordered_map>
#include <vector>

#include "fabrics/tdm/host_interface.h"
#include "fabrics/tdm/message.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/protocol.h"
#include "fabrics/tdm/shared_unit.h"
#include "fabrics/tdm/source_unit.h"
#include "kernel/clock_domain.h"

namespace weft {

struct MessageOffer {
  Cycle generated = 0;
  std::uint32_t words = 1;
  std::uint64_t user = 0;
};

/// Source of the messages of a circuit.
class MessageSupply {
 public:
  virtual ~MessageSupply() = default;
  /// The circuit's next message; `free_at` is the first cycle it could stand at the head of the queue. nullopt: none
  /// for now. A supply that may have more later says so by TdmHost::kick().
  virtual std::optional<MessageOffer> next(CircuitId circuit, Cycle free_at) = 0;
  /// No message will ever come again.
  virtual bool finished(CircuitId circuit) const = 0;
};

class TdmHostOwner {
 public:
  virtual ~TdmHostOwner() = default;
  virtual void circuit_finished(CircuitId circuit) = 0;  ///< its last message has left the queue
  virtual void message_delivered(const DeliveryEvent& event) = 0;
};

class TdmHost : public sc_core::sc_module,
                public TdmReceiver,
                public Agent,
                private HostInterfaceClient,
                private SharedUnit::Client {
 public:
  using MakeInterface = std::function<std::unique_ptr<HostInterface>(const std::string& path, HostInterfaceClient&)>;
  /// `make`: its interface, by the SystemC name of the host; the plain model unless given.
  TdmHost(sc_core::sc_module_name name, ClockDomain& domain, NodeId node, std::uint32_t links, std::uint32_t frame,
          MessageStore& store, const Observers& observers, TdmHostOwner& owner, SourceUnit unit = {},
          const MakeInterface& make = {});

  TdmInPort& in(std::uint32_t link) { return *in_[link]; }
  TdmOutPort& out(std::uint32_t link) { return *out_[link]; }
  NodeId node() const { return node_; }
  HostInterface& interface() { return *interface_; }

  /// Its messages wait for this unit of the board instead of one of its own.
  void share(SharedUnit& unit) { shared_ = &unit; }

  /// A circuit this host sends on. `lanes`: its slots on the injection link, ascending; `links`: that of each of them.
  /// `exits`: links over which each of its trains leaves for another rank, where several ranks have the network.
  void add_sender(CircuitId circuit, std::vector<Slot> lanes, std::vector<std::uint32_t> links,
                  std::uint32_t destinations, MessageSupply& supply, std::uint32_t exits = 0);
  void add_receiver(CircuitId circuit) { receivers_.emplace(circuit, 0); }
  /// The circuit is in place: messages may start from cycle `from` on (later than now).
  void start(CircuitId circuit, Cycle from);
  /// The circuit's supply has a message again.
  void kick(CircuitId circuit);

  void receive(PortId in, const TdmTransfer& transfer) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  struct Sender {
    CircuitId circuit = 0;
    HostSlots slots;
    std::uint32_t destinations = 1;
    std::uint32_t exits = 0;
    MessageSupply* supply = nullptr;
    bool open = false;     // circuit in place
    bool waiting = false;  // nothing offered, a kick is needed
    Cycle free_at = 0;
    std::uint64_t sequence = 0;
    MessageOffer offer;
  };
  static constexpr std::uint32_t kInterface = std::uint32_t{1} << 31;  // marks tokens of the interface
  static constexpr std::uint32_t kMade = std::uint32_t{1} << 30;       // and of messages for the source unit

  void fetch(std::uint32_t index);
  HostInterfaceClient& client() { return *this; }
  void begin(Cycle now, std::uint32_t index);
  void depart(Cycle now, std::uint32_t sender, std::uint32_t link, const Train& train) override;
  void left(std::uint32_t sender, Cycle free_at) override;
  void made(Cycle now, std::uint32_t sender, Cycle head) override;
  void received(Cycle now, MessageId id, Cycle first_arrival) override;
  void wake(Cycle at, Phase phase, std::uint32_t token) override {
    domain_.schedule(at, phase, *this, token | kInterface);
  }

  ClockDomain& domain_;
  NodeId node_;
  std::uint32_t frame_;
  MessageStore& store_;
  const Observers& observers_;
  TdmHostOwner& owner_;
  SourceUnit unit_;
  SharedUnit* shared_ = nullptr;
  std::vector<std::unique_ptr<TdmInPort>> in_;
  std::vector<std::unique_ptr<TdmOutPort>> out_;
  std::vector<Sender> senders_;
  std::unordered_map<CircuitId, std::uint32_t> sender_of_;
  std::unordered_map<CircuitId, std::uint64_t> receivers_;  // next sequence number expected
  std::unique_ptr<HostInterface> interface_;
};

}  // namespace weft

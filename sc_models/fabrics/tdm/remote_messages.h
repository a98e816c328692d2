#pragma once
// Messages of a TDM network on circuits that lead from one rank to another. Every train that crosses a cut brings its
// message along; each rank that it comes to keeps a copy until all trains of the message have arrived there, or have
// left for other ranks. A message is known everywhere by its circuit and its place among the circuit's messages.

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "fabrics/tdm/message.h"
#include "fabrics/tdm/observer.h"
#include "kernel/endpoint.h"
#include "network/graph.h"
#include "parallel/cut_links.h"
#include "parallel/part.h"

namespace weft {

/// What the endpoint of a destination has to know of a message besides.
struct TdmCargo {
  std::uint64_t id = 0;     ///< of its transfer, at the source
  std::uint64_t bytes = 0;  ///< of it
  std::uint64_t word = 0;   ///< of its client (Client::word())
  ServiceId service = 0;
  ClientId client = 0;
  Notify notify = Notify::none;
};

/// Endpoints whose transfers the messages are.
class CargoOwner {
 public:
  virtual ~CargoOwner() = default;
  /// `user`: of the message.
  virtual TdmCargo cargo(std::uint64_t user) const = 0;
  /// Of a message from another rank; returns its `user` here.
  virtual std::uint64_t take_cargo(const TdmMessage& message, const TdmCargo& cargo) = 0;
};

class RemoteMessages final : public TdmObserver {
 public:
  /// References must outlive the object.
  RemoteMessages(const Graph& graph, const Part& part, const std::vector<PhasePlan>& phases, MessageStore& store);
  /// Before time begins; without one messages have no cargo.
  void set_owner(CargoOwner& owner) { owner_ = &owner; }

  /// Destinations of a circuit on this rank.
  std::uint32_t destinations(CircuitId circuit) const { return circuits_[circuit].destinations; }
  /// Links of it that lead from this rank to others: each train of a message leaves over each of them once.
  std::uint32_t exits(CircuitId circuit) const { return circuits_[circuit].exits; }

  void on_inject(NodeId source, std::uint32_t link, const Train& train) override;

  static constexpr std::size_t kMost = sizeof(TdmMessage) + sizeof(TdmCargo);
  /// A train of the message leaves for another rank.
  void write(ByteWriter& out, MessageId id);
  /// One has come; returns the number of the message here.
  MessageId read(ByteReader& in);
  /// Forgets the message when all of it that comes here has arrived or left.
  void settle(MessageId id) {
    const TdmMessage& message = store_[id];
    if (message.open_deliveries == 0 && circuits_[message.circuit].crosses) here_.erase(key(message));
  }

 private:
  struct Circuit {
    std::uint32_t destinations = 0;
    std::uint32_t exits = 0;
    std::uint32_t lanes = 1;
    bool crosses = false;  // a cut between this rank and another one
  };
  struct Key {
    CircuitId circuit = 0;
    std::uint64_t sequence = 0;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& k) const {
      return static_cast<std::size_t>((k.sequence << 24 | k.sequence >> 40) ^ k.circuit);
    }
  };
  static Key key(const TdmMessage& message) { return {message.circuit, message.sequence}; }
  void keep(MessageId id, const TdmCargo& cargo);

  MessageStore& store_;
  CargoOwner* owner_ = nullptr;
  std::vector<Circuit> circuits_;
  std::unordered_map<Key, MessageId, Hash> here_;  // of circuits that cross a cut
  std::vector<TdmCargo> cargo_;                    // by message
};

}  // namespace weft

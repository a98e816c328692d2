#pragma once
// Transfers between nodes of two ranks that are followed from packet to packet: those of several packets, and those
// that a client asks about. What the destination has to know of a transfer travels with each of its packets, through
// all ranks on the way; there the packets become one transfer again. Packets that never come are told of apart.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fabrics/packet/common/message.h"
#include "fabrics/packet/common/packet_on_wire.h"
#include "kernel/endpoint.h"
#include "network/graph.h"
#include "parallel/cut_links.h"
#include "parallel/part.h"

namespace weft {

/// A transfer as one rank tells another of it.
struct TransferOnWire {
  std::uint64_t bytes = 0;
  std::uint64_t units = 0;
  std::uint64_t packets = 0;
  std::uint64_t word = 0;   ///< of its client (Client::word())
  std::uint64_t first = 0;  ///< sequence number of its first packet, which no other transfer under way has
  ClientId client = 0;
  Notify notify = Notify::none;
};

class RemoteTransfers {
 public:
  /// A transfer from another rank, as far as its packets are here or known not to come.
  struct Arriving {
    TransferRecord record;  ///< its ends are NICs
    TransferOnWire transfer;
    std::uint64_t closed = 0;  ///< packets
    Cycle first_arrived = -1;  ///< earliest arrival of a first flit
    bool withdrawn = false;
    bool lost = false;
  };
  using Done = std::optional<Arriving>;  ///< a transfer of which no packet is missing any more

  RemoteTransfers() = default;
  RemoteTransfers(const Graph& graph, const Part& part) {
    for (NodeId n = 0; n < graph.nodes(); ++n) here_.push_back(part.has_node(graph, n));
  }
  bool here(NodeId nic) const { return here_[nic]; }

  /// The packet is about to leave its source, for another rank.
  void add(const PacketMessage& packet, const TransferOnWire& transfer) { passing_[packet.sequence] = transfer; }

  // Of a packet that leaves this rank, or comes to it.
  static constexpr std::size_t kMost = sizeof(PacketOnWire) + sizeof(TransferOnWire);
  void write(ByteWriter& out, const PacketMessage& packet);
  PacketOnWire read(ByteReader& in);

  /// A packet has arrived at its destination: its transfer, when it is one of these.
  std::optional<TransferOnWire> take(const PacketMessage& packet);
  Done arrive(const PacketMessage& packet, const TransferOnWire& transfer, Cycle now);

  /// So many packets of a transfer were taken back at their source, and others are on their way.
  void tell_withdrawn(const TransferOnWire& transfer, const TransferRecord& record, std::uint64_t packets) {
    news_.push_back({transfer, record, packets, 0, false});
  }
  /// A packet is lost here: false when it is none of a transfer that is followed.
  bool lose(const PacketMessage& packet);
  /// What other ranks have to know since this was last asked.
  std::string take_news();
  /// What this one or another one has told. `lost` is called with the sequence number of a packet that is lost and says
  /// whether the packet is of a transfer from this rank; `done` for transfers from others that are over by it.
  template <class Lost, class Call>
  void hear(const std::string& news, Lost&& lost, Call&& done) {
    for (ByteReader in(std::as_bytes(std::span(news))); !in.empty();) {
      const auto told = in.get<News>();
      if (!here(told.record.to) || (told.lost && lost(told.sequence))) continue;
      if (const Done over = take_in(told)) done(*over);
    }
  }

 private:
  /// Packets of a transfer that do not come to its destination.
  struct News {
    TransferOnWire transfer;
    TransferRecord record;
    std::uint64_t packets = 0;
    std::uint32_t sequence = 0;  // of the packet that is lost
    bool lost = false;
  };
  Done take_in(const News& news);
  Arriving& arriving(const TransferOnWire& transfer, const TransferRecord& record);
  Done close(Arriving& arriving, std::uint64_t packets);

  std::vector<bool> here_;                                     // by NIC
  std::unordered_map<std::uint32_t, TransferOnWire> passing_;  // by the sequence numbers of packets
  std::unordered_map<std::uint64_t, Arriving> arriving_;       // by TransferOnWire::first
  std::vector<News> news_;
};

}  // namespace weft

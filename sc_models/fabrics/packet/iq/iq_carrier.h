#pragma once
// Flits and credits of input-queued networks on links that lead to another rank. The head brings its packet along, of
// which each rank that it passes has a copy until the tail has left.

#include <array>
#include <utility>

#include "base/diagnostics.h"
#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/common/remote_transfers.h"
#include "fabrics/packet/iq/parameters.h"
#include "fabrics/packet/iq/protocol.h"
#include "parallel/cut_links.h"

namespace weft {

class IqCarrier {
 public:
  IqCarrier(MessageAccounting& accounting, RemoteTransfers& remote) : accounting_(accounting), remote_(remote) {}

  /// By VC, the packet of which the tail has not come yet.
  using Lane = std::array<PacketMessage*, kMostIqVcs>;
  static constexpr std::size_t kMostBackward = sizeof(Cycle) + 1;
  static constexpr std::size_t kMostForward = kMostBackward + 1 + RemoteTransfers::kMost;

  void write_forward(ByteWriter& out, IqTransfer& transfer) {
    const IqFlit flit = transfer.flit;
    write_backward(out, transfer);
    out.put(static_cast<std::uint8_t>((flit.head() ? kHead : 0) | (flit.tail() ? kTail : 0)));
    if (flit.head()) remote_.write(out, flit.message());
    if (flit.tail()) accounting_.hand_over(flit.message());
  }
  void read_forward(ByteReader& in, Lane& lane, IqTransfer& transfer) {
    read_backward(in, transfer);
    const auto marks = in.get<std::uint8_t>();
    PacketMessage*& packet = lane.at(transfer.vc);
    if ((packet == nullptr) != ((marks & kHead) != 0)) throw RunError("internal: packets are mixed up between ranks");
    if (packet == nullptr) packet = &accounting_.take_over(remote_.read(in));
    const bool tail = (marks & kTail) != 0;
    transfer.flit = IqFlit(*packet, (marks & kHead) != 0, tail);
    if (tail) packet = nullptr;
  }
  void write_backward(ByteWriter& out, const IqTransfer& transfer) {
    out.put(transfer.at);
    out.put(transfer.vc);
  }
  void read_backward(ByteReader& in, IqTransfer& transfer) {
    transfer.at = in.get<Cycle>();
    transfer.vc = in.get<VirtualLane>();
  }

 private:
  static constexpr std::uint8_t kHead = 1;
  static constexpr std::uint8_t kTail = 2;
  MessageAccounting& accounting_;
  RemoteTransfers& remote_;
};

/// Links of an input-queued network to other ranks.
using IqCut = CutLinks<IqProtocol, IqCarrier>;

}  // namespace weft

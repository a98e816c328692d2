#pragma once
// Messages and credits of packet networks on links that lead to another rank. A message belongs to the rank behind the
// link from the decision on, as it does to the switch there on one rank.

#include "fabrics/packet/common/message_accounting.h"
#include "fabrics/packet/common/packet_common.h"
#include "fabrics/packet/common/protocol.h"
#include "fabrics/packet/common/remote_transfers.h"
#include "parallel/cut_links.h"

namespace weft {

class PacketCarrier {
 public:
  PacketCarrier(MessageAccounting& accounting, PacketCommon& common, RemoteTransfers& remote)
      : accounting_(accounting), common_(common), remote_(remote) {}

  struct Lane {};
  static constexpr std::size_t kMostForward = sizeof(Cycle) + RemoteTransfers::kMost;
  static constexpr std::size_t kMostBackward = sizeof(Drain) + sizeof(VirtualLane);

  void write_forward(ByteWriter& out, PacketTransfer& transfer) {
    out.put(transfer.head);
    remote_.write(out, *transfer.message);
    accounting_.hand_over(*transfer.message);
  }
  void read_forward(ByteReader& in, Lane&, PacketTransfer& transfer) {
    transfer.head = in.get<Cycle>();
    transfer.message = &accounting_.take_over(remote_.read(in));
    common_.note_size(transfer.message->level, transfer.message->flits);
  }
  void write_backward(ByteWriter& out, const PacketTransfer& transfer) {
    out.put(transfer.credits);
    out.put(transfer.lane);
  }
  void read_backward(ByteReader& in, PacketTransfer& transfer) {
    transfer.credits = in.get<Drain>();
    transfer.lane = in.get<VirtualLane>();
  }

 private:
  MessageAccounting& accounting_;
  PacketCommon& common_;
  RemoteTransfers& remote_;
};

/// Links of a network of packet switches to other ranks.
using PacketCut = CutLinks<PacketProtocol, PacketCarrier>;

}  // namespace weft

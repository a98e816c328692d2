#pragma once
// Trains of TDM networks on links that lead to another rank. A train is announced when its first word leaves, so a rank
// knows of it before that word arrives.

#include "base/diagnostics.h"
#include "fabrics/tdm/protocol.h"
#include "fabrics/tdm/remote_messages.h"
#include "parallel/cut_links.h"

namespace weft {

class TdmCarrier {
 public:
  explicit TdmCarrier(RemoteMessages& messages) : messages_(messages) {}

  struct Lane {};
  static constexpr std::size_t kMostForward = sizeof(Train) + RemoteMessages::kMost;
  static constexpr std::size_t kMostBackward = 0;  // there is no backward path

  // Circuits that are planned change when everything has been delivered: no train is cut short.
  void write_forward(ByteWriter& out, TdmTransfer& transfer) {
    if (transfer.kind != TdmTransfer::Kind::train) throw RunError("internal: a train between ranks is cut short");
    out.put(transfer.train);
    messages_.write(out, transfer.train.message);
  }
  void read_forward(ByteReader& in, Lane&, TdmTransfer& transfer) {
    transfer.kind = TdmTransfer::Kind::train;
    transfer.train = in.get<Train>();
    transfer.train.message = messages_.read(in);
  }
  void write_backward(ByteWriter&, const TdmTransfer&) {}
  void read_backward(ByteReader&, TdmTransfer&) {}

 private:
  RemoteMessages& messages_;
};

/// Links of a TDM network to other ranks.
using TdmCut = CutLinks<TdmProtocol, TdmCarrier>;

}  // namespace weft

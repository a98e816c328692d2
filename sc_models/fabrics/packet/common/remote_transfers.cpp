#include "fabrics/packet/common/remote_transfers.h"

#include <algorithm>
#include <cstddef>

namespace weft {
namespace {

TransferRecord record_of(const PacketMessage& packet, const TransferOnWire& transfer) {
  return {.id = transfer.first,
          .from = packet.source,
          .to = packet.destination,
          .service = packet.level,
          .bytes = transfer.bytes,
          .units = transfer.units,
          .generated = packet.generated,
          .entered = packet.sent()};
}

}  // namespace

void RemoteTransfers::write(ByteWriter& out, const PacketMessage& packet) {
  PacketOnWire on_wire(packet);
  const auto transfer = passing_.empty() ? passing_.end() : passing_.find(packet.sequence);
  on_wire.followed = transfer != passing_.end();
  out.put(on_wire);
  if (!on_wire.followed) return;
  out.put(transfer->second);
  passing_.erase(transfer);
}

PacketOnWire RemoteTransfers::read(ByteReader& in) {
  const auto packet = in.get<PacketOnWire>();
  if (packet.followed) passing_[packet.sequence] = in.get<TransferOnWire>();
  return packet;
}

std::optional<TransferOnWire> RemoteTransfers::take(const PacketMessage& packet) {
  const auto found = passing_.find(packet.sequence);
  if (found == passing_.end()) return std::nullopt;
  const TransferOnWire transfer = found->second;
  passing_.erase(found);
  return transfer;
}

RemoteTransfers::Arriving& RemoteTransfers::arriving(const TransferOnWire& transfer, const TransferRecord& record) {
  const auto [at, is_new] = arriving_.try_emplace(transfer.first);
  if (is_new) at->second = {.record = record, .transfer = transfer};
  return at->second;
}

RemoteTransfers::Done RemoteTransfers::arrive(const PacketMessage& packet, const TransferOnWire& transfer, Cycle now) {
  Arriving& a = arriving(transfer, record_of(packet, transfer));
  const Cycle head = now - (static_cast<Cycle>(packet.flits) - 1);
  a.first_arrived = a.first_arrived < 0 ? head : std::min(a.first_arrived, head);
  a.record.entered = std::min(a.record.entered, packet.sent());
  return close(a, 1);
}

// Its destination may be anywhere, here as well: there the loss counts once all ranks have told their news.
bool RemoteTransfers::lose(const PacketMessage& packet) {
  const auto transfer = take(packet);
  if (transfer) news_.push_back({*transfer, record_of(packet, *transfer), 1, packet.sequence, true});
  return transfer.has_value();
}

RemoteTransfers::Done RemoteTransfers::take_in(const News& news) {
  Arriving& a = arriving(news.transfer, news.record);
  (news.lost ? a.lost : a.withdrawn) = true;
  return close(a, news.packets);
}

RemoteTransfers::Done RemoteTransfers::close(Arriving& a, std::uint64_t packets) {
  a.closed += packets;
  if (a.closed < a.transfer.packets) return std::nullopt;
  const Done done(a);
  arriving_.erase(done->transfer.first);
  return done;
}

std::string RemoteTransfers::take_news() {
  ByteBuffer bytes;
  ByteWriter out(bytes);
  for (const News& n : std::exchange(news_, {})) out.put(n);
  return bytes.text();
}

}  // namespace weft

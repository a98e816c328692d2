#include "fabrics/packet/common/message_accounting.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

void PacketMessage::complain_of_wait() const {
  throw RunError(
      fmt::format("a message from node {} to node {}, of cycle {}, has waited more than 2^32 cycles in its NIC", source,
                  destination, generated));
}
namespace {

// Bits of a number well mixed, so that a sum of them tells sets of messages apart (splitmix64; Steele, Lea, Flood,
// OOPSLA 2014).
std::uint64_t signature(const PacketMessage& m) {
  std::uint64_t z = (m.sequence + 1ULL) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
  return z ^ z >> 31;
}

[[noreturn, gnu::noinline]] void complain_of_second_time(const PacketMessage& m) {
  throw RunError(fmt::format("message {} of {} -> {} comes back a second time", m.sequence, m.source, m.destination));
}

}  // namespace

PacketMessage& MessageAccounting::make(NodeId source, NodeId destination, ServiceLevel level, std::uint32_t flits,
                                       std::uint32_t choice) {
  PacketMessage& m = pool_.take();
  m.source = source;
  m.destination = destination;
  m.level = level;
  m.flits = flits;
  m.choice = choice;
  ++generated_;
  m.sequence = static_cast<std::uint32_t>(last_number());
  open_ += signature(m);
  return m;
}

inline void MessageAccounting::close(PacketMessage& message) {
  if (message.flits == 0) complain_of_second_time(message);
  open_ -= signature(message);
  message.flits = 0;
  pool_.give_back(message);
}

void MessageAccounting::deliver(PacketMessage& message, Cycle now) {
  ++delivered_;
  observers_.tell_end([&](PacketObserver& o) { o.on_deliver(message, now); });
  close(message);
}

void MessageAccounting::lose(PacketMessage& message, LossCause cause, Cycle now) {
  ++lost_;
  observers_.tell([&](PacketObserver& o) { o.on_lose(message, cause, now); });
  close(message);
}

void MessageAccounting::withdraw(PacketMessage& message) {
  ++withdrawn_;
  observers_.tell([&](PacketObserver& o) { o.on_withdraw(message); });
  close(message);
}

void MessageAccounting::hand_over(PacketMessage& message) {
  message.flits = 0;
  pool_.give_back(message);
}

PacketMessage& MessageAccounting::take_over(const PacketOnWire& message) {
  PacketMessage& m = pool_.take_under_way();
  message.fill(m);
  return m;
}

void MessageAccounting::check_closed() const {
  if (open_ != 0 || pool_.in_use() != 0) {
    throw RunError("as many messages have come back as were generated, but not every one of them once");
  }
}

}  // namespace weft

#include "algorithms/optweb/control/switch_control.h"

#include <algorithm>

namespace weft::optweb {

SwitchControl::Port& SwitchControl::list(std::uint32_t port) {
  Port& p = ports_[port];
  if (!p.listed) used_.push_back(port);
  p.listed = true;
  return p;
}

void SwitchControl::write(const ControlWord& word, Cycle) {
  if (holds_) return;
  holds_ = true;
  rendezvous_ = word.rendezvous;
  for (const std::uint32_t port : word.barrier) list(port).barrier = true;
  for (const ControlWord::Path& path : word.sends) {
    Port& p = list(path.port);
    Port& reader = list(path.dmac);
    p.next = reader.first;
    reader.first = path.port;
    p.reader = path.dmac;
    p.send_left = path.words;
    sending_ += path.words > 0 ? 1 : 0;
  }
  for (const ControlWord::Path& path : word.receives) {
    Port& p = list(path.port);
    p.writer = path.dmac;
    p.receive_left = path.words;
    p.receives = path.words > 0;
    receiving_ += path.words > 0 ? 1 : 0;
  }
}

// One that is here for one that is awaited.
void SwitchControl::use(Port& p) {
  if (p.awaited == 2) --unready_;
  if (--p.awaited == 0) --awaiting_;
  --p.early;
}

ControlEvents SwitchControl::set(Cycle) {
  if (!holds_ || set_) return {};
  set_ = true;
  for (const std::uint32_t port : used_) {
    Port& p = ports_[port];
    const bool sends = p.send_left > 0 && port != own_;
    p.awaited = p.barrier ? 1 : !sends ? 0 : rendezvous_ ? 2 : 1;
    awaiting_ += p.awaited > 0 ? 1 : 0;
    unready_ += p.awaited == 2 ? 1 : 0;
  }
  const bool awaits = awaiting_ > 0;
  for (const std::uint32_t port : used_) {
    Port& p = ports_[port];
    while (p.awaited > 0 && p.early > 0) use(p);
  }
  ControlEvents out;
  out.opens = unready_ == 0 && sending_ > 0;
  out.noted = awaits && awaiting_ == 0;
  return out;
}

ControlEvents SwitchControl::notified(std::uint32_t port, Cycle) {
  Port& p = ports_[port];
  ControlEvents out;
  if (p.awaited == 0) {
    p.early = static_cast<std::uint8_t>(std::min<std::uint32_t>(p.early + 1U, kEarlyNotifications));
    return out;
  }
  const bool shut = unready_ > 0;
  ++p.early;
  use(p);
  out.opens = shut && unready_ == 0;
  out.noted = awaiting_ == 0;
  return out;
}

ControlEvents SwitchControl::passed(std::uint32_t reader, std::uint64_t words, Cycle) {
  ControlEvents out;
  if (!open() || words == 0) return out;
  for (std::uint32_t port = ports_[reader].first; port != kNone; port = ports_[port].next) {
    Port& p = ports_[port];
    if (p.send_left == 0) continue;
    p.send_left -= std::min(p.send_left, words);
    if (p.send_left == 0 && --sending_ == 0) out.sent = true;
  }
  return out;
}

ControlEvents SwitchControl::counted(std::uint32_t port, std::uint64_t words, Cycle) {
  ControlEvents out;
  Port& p = ports_[port];
  if (!set_ || p.receive_left == 0) return out;
  p.receive_left -= std::min(p.receive_left, words);
  if (p.receive_left == 0 && --receiving_ == 0) out.received = true;
  return out;
}

void SwitchControl::clear(Cycle) {
  if (!holds_) return;
  holds_ = set_ = rendezvous_ = false;
  sending_ = receiving_ = awaiting_ = unready_ = 0;
  for (const std::uint32_t port : used_) {
    const std::uint8_t early = ports_[port].early;
    ports_[port] = {};
    ports_[port].early = early;
  }
  used_.clear();
}

}  // namespace weft::optweb

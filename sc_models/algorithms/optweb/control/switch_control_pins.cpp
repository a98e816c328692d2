#include "algorithms/optweb/control/switch_control_pins.h"

#include <algorithm>

namespace weft::optweb {

void SwitchControlPins::begin() {
  pins_ = {};
  pins_.holds = model_.holds();
  pins_.set = model_.is_set();
  pins_.words.resize(model_.ports());
  cleared_ = false;
}

ControlEvents SwitchControlPins::note(const ControlEvents& events) {
  pins_.noted = pins_.noted || events.noted;
  pins_.sent = pins_.sent || events.sent;
  pins_.received = pins_.received || events.received;
  for (std::uint32_t p = 0; events.received && p < model_.ports(); ++p) {
    if (model_.confirms(p)) pins_.confirm |= bit(p);
  }
  return events;
}

ControlEvents SwitchControlPins::notified(std::uint32_t port) {
  if (model_.awaited(port) == 0 && model_.early(port) == kEarlyNotifications) pins_.lost |= bit(port);
  return note(model_.notified(port, 0));
}

ControlEvents SwitchControlPins::set() {
  const bool sets = model_.holds() && !model_.is_set();
  const ControlEvents events = model_.set(0);
  for (std::uint32_t p = 0; sets && p < model_.ports(); ++p) {
    if (model_.notifies(p)) pins_.notify |= bit(p);
  }
  return note(events);
}

ControlEvents SwitchControlPins::passed(std::uint32_t reader, std::uint64_t words) {
  for (std::uint32_t p = 0; model_.open() && p < model_.ports(); ++p) {
    if (!model_.joined(p) || model_.reader(p) != reader) continue;
    pins_.words[p] = std::min(words, model_.send_left(p));
    if (words > model_.send_left(p)) pins_.excess_sent |= bit(p);
  }
  return note(model_.passed(reader, words, 0));
}

ControlEvents SwitchControlPins::counted(std::uint32_t port, std::uint64_t words) {
  if (words > (model_.taken(port) ? model_.receive_left(port) : 0)) pins_.excess_received |= bit(port);
  return note(model_.counted(port, words, 0));
}

void SwitchControlPins::clear() {
  if (!model_.holds()) return;
  pins_.cut = !model_.complete();
  show(pins_);
  cleared_ = true;
  model_.clear(0);
}

// The register is free from the cycle after that of clear() on.
void SwitchControlPins::write(const ControlWord& word) {
  pins_.refused = pins_.holds;
  if (!pins_.holds) model_.write(word, 0);
}

void SwitchControlPins::show(ControlPins& pins) const {
  const std::uint32_t ports = model_.ports();
  pins.open = model_.open();
  pins.select.assign(ports, 0);
  pins.writer.assign(ports, 0);
  for (std::uint32_t p = 0; p < ports; ++p) {
    if (model_.awaited(p) > 0) pins.awaited |= bit(p);
    if (model_.unready(p)) pins.unready |= bit(p);
    if (model_.joined(p)) {
      pins.joined |= bit(p);
      pins.select[p] = model_.reader(p);
    }
    if (model_.taken(p)) {
      pins.taken |= bit(p);
      pins.writer[p] = model_.writer(p);
    }
    if (pins.open && (model_.joined(p) || pins.words[p] > 0)) pins.pass |= bit(model_.reader(p));
  }
}

ControlPins SwitchControlPins::pins() const {
  ControlPins out = pins_;
  if (!cleared_) show(out);
  return out;
}

}  // namespace weft::optweb

#include "tdm/setup/setup_world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

namespace weft::pins {
namespace {

std::string slots_of(const SlotSet& slots) {
  std::string out;
  boost::to_string(slots, out);
  const auto one = out.find('1');
  return one == std::string::npos ? "0" : out.substr(one);
}

std::uint32_t mask_of_ports(const std::vector<PortId>& ports) {
  std::uint32_t mask = 0;
  for (const PortId p : ports) mask |= 1U << p;
  return mask;
}

}  // namespace

std::string lut_event(std::uint32_t op, std::uint32_t row, const SlotSet& slots) {
  return fmt::format("lut {} row {} slots {}", op, row, slots_of(slots));
}
std::string question_event(std::uint32_t columns) { return fmt::format("table: {} columns", columns); }
std::string change_event(bool set, PortId in, std::uint32_t outs, const SlotSet& slots, const std::vector<Slot>& from) {
  return fmt::format("table: outs {:b} slots {} {}{}", outs, slots_of(slots),
                     set ? fmt::format("from {}", in) : std::string("idle"),
                     from.empty() ? "" : fmt::format(" slots {}", fmt::join(from, " ")));
}
std::string drain_event(bool begins, std::uint32_t ports) {
  return fmt::format("drain {} {:b}", begins ? "begins" : "ends", ports);
}

std::uint32_t info_number(const SetupMessage& m) {
  return (m.at & 3U) | (m.fault & 7U) << 2U | (m.failed_at >= 0 ? 32U : 0U);
}
std::uint32_t key_number(const CircuitKey& key) { return key.flow << 8U | key.number; }

std::string send_event(PortId port, const SetupMessage& m) {
  using Kind = SetupMessage::Kind;
  std::string out = fmt::format("to {}: kind {} key {}", port, static_cast<int>(m.kind), key_number(m.key));
  if (m.kind == Kind::request) {
    out += fmt::format(" common {} slots {} start {}", slots_of(m.common), slots_of(m.slots), m.start);
    for (const SetupMessage::Lane& lane : m.lanes) out += fmt::format(" word of {} left {}", lane.sent, lane.left);
  } else if (m.kind == Kind::ack) {
    out += fmt::format(" slots {} start {}", slots_of(m.slots), m.start);
  } else if (m.kind == Kind::accept) {
    out += fmt::format(" words {}", m.words);
  } else if (m.kind == Kind::release) {
    out += fmt::format(" slots {} words {}", slots_of(m.slots), m.words);
  } else if (m.kind == Kind::released) {
    out += fmt::format(" slots {} cleared {}", slots_of(m.slots), m.cleared);
  } else if (m.kind == Kind::teardown) {
    out +=
        fmt::format(" cause {} withdrawn {} forward {} common {} late {} cleared {} info {}", static_cast<int>(m.cause),
                    m.withdrawn, m.forward, slots_of(m.common), m.late_by, m.cleared, info_number(m));
  }
  return out;
}

SetupWorld::SetupWorld(const SetupShape& shape, const SetupTiming& timing)
    : shape_(shape),
      timing_(timing),
      lut_(static_cast<PortId>(shape.ports), shape.frame),
      usable_((1U << shape.ports) - 1) {}

SlotLutResponse SetupWorld::ask(Cycle, const SlotLutRequest& request, std::uint32_t) {
  SlotLutResponse response = lut_.request(request);
  events_.push_back({lut_event(static_cast<std::uint32_t>(request.op), request.row, request.slots), response, 0});
  return response;
}

Cycle SetupWorld::in_force(Cycle now, std::uint32_t columns) {
  const Cycle busy = (now & 31) * 7 % 5;  // with earlier changes
  const Cycle cycle = timing_.boundary(now + busy + timing_.column * Cycle{columns});
  events_.push_back({question_event(columns), {}, cycle});
  return cycle;
}

Cycle SetupWorld::change(Cycle now, const TableChange& change) {
  const Cycle cycle =
      timing_.boundary(now + (now & 31) * 7 % 5 + timing_.column * static_cast<Cycle>(change.slots.count()));
  events_.push_back(
      {change_event(change.set, change.in, mask_of_ports(change.outs), change.slots, change.from), {}, cycle});
  return cycle;
}

// The unit names all ports in one cycle, the model one after the other.
void SetupWorld::drain_begins(PortId port) { events_.push_back({drain_event(true, 1U << port), {}, 0}); }
void SetupWorld::drain_ends(Cycle, PortId port) { events_.push_back({drain_event(false, 1U << port), {}, 0}); }

void SetupWorld::send(const SetupSend& send) { events_.push_back({send_event(send.port, send.message), {}, 0}); }

}  // namespace weft::pins

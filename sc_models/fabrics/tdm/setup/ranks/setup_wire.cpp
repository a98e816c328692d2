#include "fabrics/tdm/setup/ranks/setup_wire.h"

#include <algorithm>
#include <iterator>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::uint32_t kNoRoute = ~std::uint32_t{0};

/// Fields of fixed size.
struct PlainMessage {
  SetupMessage::Kind kind;
  TeardownCause cause;
  bool forward;
  bool withdrawn;
  CircuitKey key;
  std::uint32_t route;
  std::uint32_t hop;
  std::uint32_t wanted;
  std::uint32_t fault;
  std::uint32_t circuit;
  SwitchId at;
  Cycle start;
  Cycle hold;
  Cycle failed_at;
  Cycle late_by;
  Cycle cleared;
  Cycle sent;
  std::uint64_t words;
};

}  // namespace

void write_slots(ByteWriter& out, const SlotSet& slots) {
  out.put(static_cast<std::uint32_t>(slots.size()));
  std::vector<SlotSet::block_type> blocks;
  boost::to_block_range(slots, std::back_inserter(blocks));
  for (const SlotSet::block_type b : blocks) out.put(b);
}

SlotSet read_slots(ByteReader& in) {
  SlotSet slots(in.get<std::uint32_t>());
  std::vector<SlotSet::block_type> blocks(slots.num_blocks());
  for (SlotSet::block_type& b : blocks) b = in.get<SlotSet::block_type>();
  boost::from_block_range(blocks.begin(), blocks.end(), slots);
  return slots;
}

std::uint32_t place_of_route(const FlowRoutes& routes, std::uint32_t flow, const CircuitRoute* route) {
  const FlowSource::Routes& own = routes[flow];
  const auto it = std::find_if(own.begin(), own.end(), [&](const auto& r) { return r.get() == route; });
  if (it == own.end()) throw RunError("internal: a circuit takes a route that was not planned");
  return static_cast<std::uint32_t>(it - own.begin());
}

void write_setup_message(ByteWriter& out, const SetupMessage& m, const FlowRoutes& routes) {
  PlainMessage p{};
  p.kind = m.kind;
  p.cause = m.cause;
  p.forward = m.forward;
  p.withdrawn = m.withdrawn;
  p.key = m.key;
  p.route = m.route ? place_of_route(routes, m.key.flow, m.route.get()) : kNoRoute;
  p.hop = m.hop;
  p.wanted = m.wanted;
  p.fault = m.fault;
  p.circuit = m.circuit;
  p.at = m.at;
  p.start = m.start;
  p.hold = m.hold;
  p.failed_at = m.failed_at;
  p.late_by = m.late_by;
  p.cleared = m.cleared;
  p.sent = m.sent;
  p.words = m.words;
  out.put(p);
  write_slots(out, m.common);
  write_slots(out, m.slots);
  put_all(out, m.lanes);
}

SetupMessage read_setup_message(ByteReader& in, const FlowRoutes& routes) {
  const auto p = in.get<PlainMessage>();
  SetupMessage m;
  m.kind = p.kind;
  m.cause = p.cause;
  m.forward = p.forward;
  m.withdrawn = p.withdrawn;
  m.key = p.key;
  if (p.route != kNoRoute) m.route = routes.at(p.key.flow).at(p.route);
  m.hop = p.hop;
  m.wanted = p.wanted;
  m.fault = p.fault;
  m.circuit = p.circuit;
  m.at = p.at;
  m.start = p.start;
  m.hold = p.hold;
  m.failed_at = p.failed_at;
  m.late_by = p.late_by;
  m.cleared = p.cleared;
  m.sent = p.sent;
  m.words = p.words;
  m.common = read_slots(in);
  m.slots = read_slots(in);
  m.lanes = get_all<SetupMessage::Lane>(in);
  return m;
}

}  // namespace weft

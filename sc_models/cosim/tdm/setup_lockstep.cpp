#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "base/diagnostics.h"
#include "cosim/tdm/lockstep.h"
#include "cosim/tdm/setup_blocks.h"

namespace weft {
namespace {

std::string slots_text(const SlotSet& set) {
  std::string out;
  for (const Slot s : slot_list(set)) out += (out.empty() ? "" : " ") + std::to_string(s);
  return "{" + out + "}";
}

std::string ports_text(const std::vector<PortId>& ports) {
  std::string out;
  for (const PortId p : ports) out += (out.empty() ? "" : " ") + std::to_string(p);
  return "{" + out + "}";
}

std::string access_text(const SlotLutRequest& request, std::uint32_t flow) {
  constexpr const char* kNames[] = {"query", "reserve", "release"};
  return fmt::format("slot LUT: {} row {} slots {} for flow {}", kNames[static_cast<std::size_t>(request.op)],
                     request.row, slots_text(request.slots), flow);
}

std::string access_text(const TableChange& change) {
  std::string out = fmt::format("slot table: outputs {} slots {} {}", ports_text(change.outs), slots_text(change.slots),
                                change.set ? fmt::format("from input {}", change.in) : std::string("to nothing"));
  if (!change.from.empty()) out += fmt::format(" slots {}", fmt::join(change.from, " "));
  return out;
}

std::string message_text(const SetupMessage& m) {
  using Kind = SetupMessage::Kind;
  constexpr const char* kKinds[] = {"request", "ACK", "acceptance", "withdrawal", "release", "released", "teardown"};
  constexpr const char* kCauses[] = {"no slots", "down", "late", "fault"};
  std::string out =
      fmt::format("{} of flow {} number {}", kKinds[static_cast<std::size_t>(m.kind)], m.key.flow, m.key.number);
  switch (m.kind) {
    case Kind::request:
      out +=
          fmt::format(" hop {} common {} slots {} start {}", m.hop, slots_text(m.common), slots_text(m.slots), m.start);
      for (const SetupMessage::Lane& lane : m.lanes) out += fmt::format(" word of {} left {}", lane.sent, lane.left);
      break;
    case Kind::ack:
      out += fmt::format(" slots {} start {}", slots_text(m.slots), m.start);
      break;
    case Kind::accept:
      out += fmt::format(" words {}", m.words);
      break;
    case Kind::release:
      out += fmt::format(" slots {} words {} circuit {}", slots_text(m.slots), m.words, m.circuit);
      break;
    case Kind::released:
      out += fmt::format(" slots {} cleared {}", slots_text(m.slots), m.cleared);
      break;
    case Kind::teardown:
      out += fmt::format(" {}{}{} common {} late by {} cleared {} at sw[{}] fault {} failed at {}",
                         kCauses[static_cast<std::size_t>(m.cause)], m.withdrawn ? " withdrawn" : "",
                         m.forward ? " forward" : "", slots_text(m.common), m.late_by, m.cleared, m.at, m.fault,
                         m.failed_at);
      break;
    default:
      break;
  }
  return out;
}

std::string send_text(const SetupSend& send) {
  return fmt::format("to port {}: {}", send.port, message_text(send.message));
}

// The RTL has done something else than the model.
struct SetupDifference {
  std::string model;
  std::string rtl;
};

}  // namespace

class LockstepCircuits::Recorder final : public SwitchAccess {
 public:
  Recorder(SwitchAccess& access, std::deque<Access>& accesses) : access_(access), accesses_(accesses) {}
  SlotLutResponse ask(Cycle now, const SlotLutRequest& request, std::uint32_t flow) override {
    SlotLutResponse response = access_.ask(now, request, flow);
    accesses_.push_back({access_text(request, flow), response, 0});
    return response;
  }
  Cycle in_force(Cycle now, std::uint32_t columns) override {
    const Cycle cycle = access_.in_force(now, columns);
    accesses_.push_back({fmt::format("slot table: effect of {} columns", columns), {}, cycle});
    return cycle;
  }
  Cycle change(Cycle now, const TableChange& change) override {
    const Cycle cycle = access_.change(now, change);
    accesses_.push_back({access_text(change), {}, cycle});
    return cycle;
  }
  void drain_begins(PortId port) override {
    access_.drain_begins(port);
    accesses_.push_back({fmt::format("port {} begins to drain", port), {}, 0});
  }
  void drain_ends(Cycle now, PortId port) override {
    access_.drain_ends(now, port);
    accesses_.push_back({fmt::format("port {} has drained", port), {}, 0});
  }
  bool usable(Cycle now, PortId port) const override { return access_.usable(now, port); }
  bool failed(PortId port) const override { return access_.failed(port); }
  std::uint32_t holder(PortId port) const override { return access_.holder(port); }

 private:
  SwitchAccess& access_;
  std::deque<Access>& accesses_;
};

class LockstepCircuits::Player final : public SwitchAccess {
 public:
  Player(const SwitchAccess& access, std::deque<Access>& accesses) : access_(access), accesses_(accesses) {}
  SlotLutResponse ask(Cycle, const SlotLutRequest& request, std::uint32_t flow) override {
    return take(access_text(request, flow)).lut;
  }
  Cycle in_force(Cycle, std::uint32_t columns) override {
    return take(fmt::format("slot table: effect of {} columns", columns)).cycle;
  }
  Cycle change(Cycle, const TableChange& change) override { return take(access_text(change)).cycle; }
  void drain_begins(PortId port) override { take(fmt::format("port {} begins to drain", port)); }
  void drain_ends(Cycle, PortId port) override { take(fmt::format("port {} has drained", port)); }
  bool usable(Cycle now, PortId port) const override { return access_.usable(now, port); }
  bool failed(PortId port) const override { return access_.failed(port); }
  std::uint32_t holder(PortId port) const override { return access_.holder(port); }

 private:
  Access take(const std::string& text) {
    if (accesses_.empty()) throw SetupDifference{"no access", text};
    Access access = std::move(accesses_.front());
    accesses_.pop_front();
    if (access.text != text) throw SetupDifference{access.text, text};
    return access;
  }
  const SwitchAccess& access_;
  std::deque<Access>& accesses_;
};

LockstepCircuits::LockstepCircuits(const BlockSite& site, const SetupSite& setup, SwitchAccess& access,
                                   std::unique_ptr<SetupUnitRtl> core, LockstepCount& count)
    : site_(site),
      recorder_(std::make_unique<Recorder>(access, accesses_)),
      player_(std::make_unique<Player>(access, accesses_)),
      model_(setup, *recorder_),
      rtl_(site, setup, *player_, std::move(core)),
      count_(count) {}

LockstepCircuits::~LockstepCircuits() = default;

void LockstepCircuits::differ(Cycle now, const std::string& what, const std::string& model,
                              const std::string& rtl) const {
  throw RunError(fmt::format("lockstep difference in {}.setup_unit at {}\n  input: {}\n  model: {}\n  rtl: {}",
                             site_.path, cycle_text(*site_.domain, site_.slots, now), what, model, rtl));
}

// `work(unit, sends, flows)`: what the model does, and then the RTL.
template <class Work>
void LockstepCircuits::both(Cycle now, const std::string& what, std::vector<SetupSend>& out,
                            std::vector<std::uint32_t>& flows, Work&& work) {
  std::vector<SetupSend> model_sends;
  std::vector<SetupSend> rtl_sends;
  std::vector<std::uint32_t> model_flows;
  std::vector<std::uint32_t> rtl_flows;
  accesses_.clear();
  work(static_cast<SwitchCircuitsIf&>(model_), model_sends, model_flows);
  try {
    work(static_cast<SwitchCircuitsIf&>(rtl_), rtl_sends, rtl_flows);
  } catch (const SetupDifference& d) {
    differ(now, what, d.model, d.rtl);
  }
  ++count_.requests;
  if (!accesses_.empty()) differ(now, what, accesses_.front().text, "no access");
  for (std::size_t i = 0; i < std::max(model_sends.size(), rtl_sends.size()); ++i) {
    const std::string model = i < model_sends.size() ? send_text(model_sends[i]) : "nothing more is sent";
    const std::string rtl = i < rtl_sends.size() ? send_text(rtl_sends[i]) : "nothing more is sent";
    if (model != rtl) differ(now, what, model, rtl);
  }
  if (model_flows != rtl_flows) differ(now, what, "circuits given up", "other circuits given up");
  if (model_.next_free() != rtl_.next_free()) {
    differ(now, what, fmt::format("slots are free in cycle {}", model_.next_free()),
           fmt::format("slots are free in cycle {}", rtl_.next_free()));
  }
  out.insert(out.end(), std::make_move_iterator(model_sends.begin()), std::make_move_iterator(model_sends.end()));
  flows.insert(flows.end(), model_flows.begin(), model_flows.end());
}

void LockstepCircuits::handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) {
  std::vector<std::uint32_t> flows;
  both(now, fmt::format("from port {}: {}", from, message_text(message)), out, flows,
       [&](SwitchCircuitsIf& unit, std::vector<SetupSend>& sends, std::vector<std::uint32_t>&) {
         unit.handle(now, from, message, sends);
       });
}

void LockstepCircuits::drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                                   std::vector<std::uint32_t>& flows) {
  both(now, fmt::format("failure {}", fault), out, flows,
       [&](SwitchCircuitsIf& unit, std::vector<SetupSend>& sends, std::vector<std::uint32_t>& its) {
         unit.drop_failed(now, fault, sends, its);
       });
}

void LockstepCircuits::told(Cycle now, const CircuitKey& key) {
  std::vector<SetupSend> out;
  std::vector<std::uint32_t> flows;
  both(now, fmt::format("a teardown of flow {} number {} has left", key.flow, key.number), out, flows,
       [&](SwitchCircuitsIf& unit, std::vector<SetupSend>&, std::vector<std::uint32_t>&) { unit.told(now, key); });
}

void LockstepCircuits::free_due(Cycle now) {
  const Cycle next = model_.next_free();
  if (next < 0 || next > now) return;
  std::vector<SetupSend> out;
  std::vector<std::uint32_t> flows;
  both(now, "slots whose time has come", out, flows,
       [&](SwitchCircuitsIf& unit, std::vector<SetupSend>&, std::vector<std::uint32_t>&) { unit.free_due(now); });
}

std::vector<CircuitHolding> LockstepCircuits::holdings() {
  std::vector<CircuitHolding> model = model_.holdings();
  std::vector<CircuitHolding> rtl = rtl_.holdings();
  const auto sort = [](std::vector<CircuitHolding>& list) {
    std::sort(list.begin(), list.end(), [](const CircuitHolding& a, const CircuitHolding& b) {
      return std::tie(a.key, a.in_table, a.slots) < std::tie(b.key, b.in_table, b.slots);
    });
  };
  std::vector<CircuitHolding> sorted = model;
  sort(sorted);
  sort(rtl);
  if (sorted != rtl) {
    differ(site_.domain->now(), "readout of the records", fmt::format("{} sets of slots are held", sorted.size()),
           fmt::format("{} sets of slots, or others", rtl.size()));
  }
  return model;
}

}  // namespace weft

#pragma once
// Bench of setup_unit: commands of a driver on the pins; every access to slot LUT, slot table and links and every
// message sent is compared with those of the model, each kind in its order, and the cycles of every command with their
// formula.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <deque>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/tdm/setup/choice/slot_choice.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"
#include "tdm/setup/setup_driver.h"
#include "tdm/setup/setup_unit_wires.h"

namespace weft::pins {

/// Widths that are the same in all sizes: KeyW = 12, WordW = 10, InfoW = 6.
template <class Dut, std::uint32_t kTimeBits>
class SetupUnitBench final : public PinBench<Dut> {
 public:
  /// A step, or none for an idle cycle; called when the unit is ready.
  using Source = std::function<std::optional<SetupStep>()>;

  SetupUnitBench(const sc_core::sc_module_name& name, const SetupShape& shape) : PinBench<Dut>(name), shape_(shape) {}

  /// Resets the unit for so many cycles and sets its constants to those of the driver's switch; its commands follow.
  void reset(Cycle cycles, const SetupDriver& driver) {
    driver_ = &driver;
    const SetupSite& site = driver.site();
    Bits ack(shape_.ports * kTimeBits);
    Bits drain(shape_.ports * kTimeBits);
    Bits down(std::size_t{shape_.ports} * kInfoBits);
    for (PortId p = 0; p < shape_.ports; ++p) {
      const Cycle way = site.timing.host_way(site.host_links[p]);
      ack.set(p * kTimeBits, kTimeBits, static_cast<std::uint64_t>(way + 1));
      drain.set(p * kTimeBits, kTimeBits, static_cast<std::uint64_t>(way + 1 + site.timing.adapter(p)));
      SetupMessage m;
      m.at = site.sw;
      m.fault = driver.world().holder(p);
      down.set(std::size_t{p} * kInfoBits, kInfoBits, info_number(m));
    }
    SetupMessage own;
    own.at = site.sw;
    reset_ = true;
    busy_ = false;
    accesses_.clear();
    sends_.clear();
    this->run_cycles(1);  // in reset: constants may change only then
    const auto random_times = [&] {
      return to_pins<PinValue<decltype(Dut::ack_lag_i)>>(Bits::random(noise_, shape_.ports * kTimeBits));
    };
    set(pins_.frame, noise_.below(std::uint64_t{1} << kTimeBits));
    pins_.slot_update.write(noise_.below(2) != 0);
    pins_.ack_lag.write(random_times());
    pins_.drain_lag.write(random_times());
    pins_.down_info.write(
        to_pins<PinValue<decltype(Dut::down_info_i)>>(Bits::random(noise_, std::size_t{shape_.ports} * kInfoBits)));
    set(pins_.own_info, noise_.below(1U << kInfoBits));
    this->run_cycles(1);
    set(pins_.frame, shape_.frame);
    pins_.slot_update.write(own_slots());
    pins_.ack_lag.write(to_pins<PinValue<decltype(Dut::ack_lag_i)>>(ack));
    pins_.drain_lag.write(to_pins<PinValue<decltype(Dut::drain_lag_i)>>(drain));
    pins_.down_info.write(to_pins<PinValue<decltype(Dut::down_info_i)>>(down));
    set(pins_.own_info, info_number(own));
    this->run_cycles(cycles);
    reset_ = false;
  }
  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// Lets the unit finish its command.
  void finish() {
    source_ = [] { return std::nullopt; };
    while (busy_) this->run_cycles(1);
  }
  /// What the unit shows of its records and of the slots that drain, as far as the model has it.
  void check_readout(const std::vector<CircuitHolding>& holdings) {
    std::multiset<std::string> expected;
    for (const CircuitHolding& h : holdings) expected.insert(holding_text(h));
    readout_.emplace();
    for (std::uint32_t i = 0; i < shape_.circuits; ++i) {
      read_at_ = i;
      this->run_cycles(1);
    }
    const std::multiset<std::string> shown = *std::exchange(readout_, std::nullopt);
    if (shown != expected) {
      this->errors().add(this->cycle(),
                         fmt::format("readout: {} instead of {}", fmt::join(shown, "; "), fmt::join(expected, "; ")));
    }
  }
  std::uint64_t commands() const { return commands_; }
  std::uint64_t full() const { return full_seen_; }
  /// Cycles in which the unit has no room are no errors.
  void expect_full() { full_allowed_ = true; }

 private:
  static constexpr std::uint32_t kInfoBits = 6;

  template <class Port>
  static void set(sc_core::sc_signal<Port>& signal, std::uint64_t value) {
    signal.write(static_cast<Port>(value));
  }
  static std::uint64_t time_pin(Cycle cycle) {
    return static_cast<std::uint64_t>(cycle) & (~std::uint64_t{0} >> (64U - kTimeBits));
  }
  static Cycle cycle_of(std::uint64_t pin) { return static_cast<Cycle>(pin << (64U - kTimeBits)) >> (64U - kTimeBits); }
  template <class Port>
  void set_slots(sc_core::sc_signal<Port>& signal, const SlotSet& slots) {
    Bits bits(shape_.slots);
    for (std::size_t s = 0; s < slots.size(); ++s) bits.set(s, 1, slots.test(s) ? 1 : 0);
    signal.write(to_pins<Port>(bits));
  }
  template <class Port>
  SlotSet slots_of(const sc_core::sc_signal<Port>& signal) const {
    const Bits bits = from_pins(signal.read(), shape_.slots);
    SlotSet out(shape_.frame);
    for (std::size_t s = 0; s < shape_.frame; ++s) out.set(s, bits.get(s, 1) != 0);
    return out;
  }
  bool own_slots() const { return driver_->site().timing.slot_update; }
  std::string holding_text(const CircuitHolding& h) const {
    std::uint32_t outs = 0;
    for (const PortId p : h.outs) outs |= 1U << p;
    return holding_text(h.in_table, key_number(h.key), h.first, h.in, outs, h.slots, h.in_slots());
  }
  std::string holding_text(bool in_table, std::uint64_t key, bool first, std::uint64_t in, std::uint64_t outs,
                           const SlotSet& slots, const SlotSet& came) const {
    return fmt::format("{} key {} first {} in {}: {}", in_table ? "circuit" : "draining", key, first, in,
                       change_event(true, static_cast<PortId>(in), static_cast<std::uint32_t>(outs), slots,
                                    own_slots() ? slot_list(came) : std::vector<Slot>()));
  }

  void drive() override {
    this->rst_n().write(!reset_);
    pins_.lut_ok.write(lut_asked_ ? lut_answer_.ok : noise_.below(2) != 0);
    if (lut_asked_) {
      set_slots(pins_.lut_free, lut_answer_.free);
    } else {
      pins_.lut_free.write(to_pins<PinValue<decltype(Dut::lut_free_i)>>(Bits::random(noise_, shape_.slots)));
    }
    set(pins_.tbl_at, table_asked_ ? time_pin(table_answer_) : noise_.below(std::uint64_t{1} << kTimeBits));
    lut_asked_ = table_asked_ = false;
    pins_.cmd_valid.write(false);
    noise();
    if (readout_) set(pins_.index, read_at_);
    if (reset_ || busy_ || !source_) return;
    const std::optional<SetupStep> step = source_();
    if (step) command(*step);
  }

  // Inputs that have no meaning in this cycle: those of a command without one, constants in reset.
  void noise() {
    set(pins_.index, noise_.below(shape_.circuits));
    for (auto* bit : {&pins_.withdrawn, &pins_.forward, &pins_.first}) bit->write(noise_.below(2) != 0);
    set(pins_.cmd_op, noise_.below(4));
    set(pins_.from, noise_.below(shape_.ports));
    set(pins_.kind, noise_.below(7));
    set(pins_.cause, noise_.below(4));
    set(pins_.in, noise_.below(shape_.ports));
    set(pins_.wanted, noise_.below(shape_.slots + 1));
    set(pins_.key, noise_.below(1U << 12U));
    set(pins_.words, noise_.below(1U << 10U));
    set(pins_.info, noise_.below(1U << kInfoBits));
    for (auto* time : {&pins_.now, &pins_.hold, &pins_.start, &pins_.late, &pins_.cleared, &pins_.departure,
                       &pins_.route_start, &pins_.lag, &pins_.wire}) {
      set(*time, noise_.below(std::uint64_t{1} << kTimeBits));
    }
    pins_.common.write(to_pins<PinValue<decltype(Dut::msg_common_i)>>(Bits::random(noise_, shape_.slots)));
    pins_.slots.write(to_pins<PinValue<decltype(Dut::msg_slots_i)>>(Bits::random(noise_, shape_.slots)));
    pins_.source.write(to_pins<PinValue<decltype(Dut::msg_source_i)>>(Bits::random(noise_, shape_.slots)));
    for (auto* slot : {&pins_.lane, &pins_.shift}) set(*slot, noise_.below(shape_.slots));
    for (auto* ports : {&pins_.outs, &pins_.hosts}) set(*ports, noise_.below(1U << shape_.ports));
    if (busy_) return;
    for (auto* ports : {&pins_.usable, &pins_.failed}) set(*ports, noise_.below(1U << shape_.ports));
  }

  void command(const SetupStep& step) {
    ++commands_;
    busy_ = true;
    begun_ = this->cycle();
    cycles_ = step.cycles;
    next_free_ = step.next_free;
    key_now_ = key_number(step.message.key);
    any_key_ = step.op == SetupStep::Op::failure || step.op == SetupStep::Op::free;
    for (const SetupEvent& e : step.events) (e.text.starts_with("to ") ? sends_ : accesses_).push_back(e);
    const SetupMessage& m = step.message;
    pins_.cmd_valid.write(true);
    set(pins_.cmd_op, static_cast<std::uint64_t>(step.op));
    set(pins_.now, time_pin(step.now));
    set(pins_.usable, driver_->world().usable_ports());
    set(pins_.failed, driver_->world().failed_ports());
    set(pins_.from, step.from);
    set(pins_.kind, static_cast<std::uint64_t>(m.kind));
    set(pins_.key, key_number(m.key));
    set(pins_.wanted, m.wanted);
    set(pins_.hold, time_pin(m.hold));
    set_slots(pins_.common, m.common);
    set_slots(pins_.slots, m.slots);
    set(pins_.start, time_pin(m.start));
    set(pins_.late, time_pin(m.late_by));
    set(pins_.cleared, time_pin(m.cleared));
    set(pins_.words, m.words);
    set(pins_.cause, static_cast<std::uint64_t>(m.cause));
    pins_.withdrawn.write(m.withdrawn);
    pins_.forward.write(m.forward);
    SetupMessage about = m;
    if (step.op == SetupStep::Op::failure) {
      about.at = driver_->site().sw;
      about.failed_at = step.now;
    }
    set(pins_.info, info_number(about));
    if (m.kind != SetupMessage::Kind::request || m.route == nullptr) return;
    const RouteHop& place = m.route->hops[m.hop];
    std::uint32_t outs = 0;
    std::uint32_t hosts = 0;
    for (const RouteBranch& b : place.branches) {
      outs |= 1U << b.out;
      if (b.next == kNoHop) hosts |= 1U << b.out;
    }
    const SetupTiming& timing = driver_->site().timing;
    pins_.first.write(m.hop == 0);
    set(pins_.in, place.in);
    set(pins_.outs, outs);
    set(pins_.hosts, hosts);
    set(pins_.departure, time_pin(timing.departure(*m.route, m.hop)));
    set(pins_.route_start, time_pin(m.hop == 0 ? route_start(timing, step.now, m) : 0));
    set(pins_.wire, time_pin(timing.wire(place)));
    set(pins_.shift, static_cast<std::uint64_t>(timing.wire(place)) % shape_.frame);
    if (m.lanes.empty()) return;
    SlotSet source(shape_.frame);
    for (const SetupMessage::Lane& lane : m.lanes) source.set(static_cast<std::size_t>(lane.sent));
    set_slots(pins_.source, source);
    set(pins_.lane, static_cast<std::uint64_t>(m.lanes.front().left) % shape_.frame);
    set(pins_.lag, time_pin(m.lanes.front().left - m.lanes.front().sent));
  }

  void monitor() override {
    if (reset_) return;
    if (pins_.full.read()) {
      ++full_seen_;
      if (!full_allowed_) error("no room");
    }
    if (readout_) {
      if (pins_.rec_valid.read()) {
        readout_->insert(holding_text(!pins_.rec_lost.read(), pins_.rec_key.read(), pins_.rec_first.read(),
                                      pins_.rec_in.read(), pins_.rec_outs.read(), slots_of(pins_.rec_slots),
                                      slots_of(pins_.rec_came)));
      }
      if (pins_.drn_valid.read()) {
        readout_->insert(holding_text(false, pins_.drn_key.read(), pins_.drn_first.read(), pins_.drn_in.read(),
                                      pins_.drn_outs.read(), slots_of(pins_.drn_slots), slots_of(pins_.drn_came)));
        if (!own_slots() && pins_.drn_came.read() != pins_.drn_slots.read()) error("drn_came_o is not drn_slots_o");
      }
    }
    if (pins_.lut_valid.read()) {
      lut_answer_ =
          observe(accesses_, lut_event(pins_.lut_op.read(), pins_.lut_row.read(), slots_of(pins_.lut_slots))).lut;
      lut_asked_ = true;
      if (!any_key_ && pins_.lut_key.read() != key_now_) error("lut_key_o is that of another circuit");
    }
    if (pins_.tbl_valid.read()) {
      const std::string text =
          pins_.tbl_write.read()
              ? change_event(pins_.tbl_set.read(),
                             pins_.tbl_set.read() ? static_cast<PortId>(pins_.tbl_in.read()) : kNoPort,
                             pins_.tbl_outs.read(), slots_of(pins_.tbl_slots), from())
              : question_event(pins_.tbl_count.read());
      table_answer_ = observe(accesses_, text).cycle;
      table_asked_ = true;
    }
    for (PortId p = 0; p < shape_.ports; ++p) {
      if ((static_cast<std::uint64_t>(pins_.drain_begin.read()) >> p & 1U) != 0)
        observe(accesses_, drain_event(true, 1U << p));
      if ((static_cast<std::uint64_t>(pins_.drain_end.read()) >> p & 1U) != 0)
        observe(accesses_, drain_event(false, 1U << p));
    }
    if (pins_.snd_valid.read()) observe(sends_, send_event(static_cast<PortId>(pins_.snd_port.read()), sent()));
    if (this->cycle() == begun_) {
      if (!pins_.cmd_ready.read()) error("cmd_ready_o is low in the cycle of a command");
    } else if (busy_ && pins_.cmd_ready.read()) {
      done();
    } else if (!busy_ && !pins_.cmd_ready.read()) {
      error("cmd_ready_o is low without a command");
    }
  }

  void done() {
    busy_ = false;
    const auto cycles = static_cast<std::uint32_t>(this->cycle() - begun_ - 1);
    if (cycles != cycles_) error(fmt::format("busy for {} cycles instead of {}", cycles, cycles_));
    for (const auto* queue : {&accesses_, &sends_}) {
      if (!queue->empty()) error(fmt::format("missing: {}", queue->front().text));
    }
    accesses_.clear();
    sends_.clear();
    const Cycle next = pins_.free_valid.read() ? cycle_of(pins_.free_at.read()) : -1;
    if (next != next_free_) error(fmt::format("slots are free in cycle {} instead of {}", next, next_free_));
  }

  // The input's slots of a change of the table; empty: the same.
  std::vector<Slot> from() const {
    std::vector<Slot> out;
    if (!own_slots() || !pins_.tbl_set.read()) return out;
    const auto bits = static_cast<std::size_t>(std::bit_width(shape_.slots - 1));
    const Bits all = from_pins(pins_.tbl_from.read(), shape_.slots * bits);
    for (const Slot s : slot_list(slots_of(pins_.tbl_slots))) out.push_back(static_cast<Slot>(all.get(s * bits, bits)));
    return out;
  }

  SetupMessage sent() {
    SetupMessage m;
    m.kind = static_cast<SetupMessage::Kind>(pins_.snd_kind.read());
    const auto key = static_cast<std::uint32_t>(pins_.snd_key.read());
    m.key = {key >> 8U, key & 255U};
    m.common = slots_of(pins_.snd_common);
    m.slots = slots_of(pins_.snd_slots);
    if (own_slots() && m.kind == SetupMessage::Kind::request) {
      m.lanes = lanes_in_order(slots_of(pins_.snd_source), m.slots, cycle_of(pins_.snd_lag.read()));
      const Cycle left = m.lanes.empty() ? 0 : m.lanes.front().left;
      if (left % Cycle{shape_.frame} != Cycle{pins_.snd_lane.read()})
        error("snd_lane_o is another slot than that of snd_lag_o");
    }
    m.start = cycle_of(pins_.snd_start.read());
    m.late_by = cycle_of(pins_.snd_late.read());
    m.cleared = cycle_of(pins_.snd_cleared.read());
    m.words = pins_.snd_words.read();
    m.cause = static_cast<TeardownCause>(pins_.snd_cause.read());
    m.withdrawn = pins_.snd_withdrawn.read();
    m.forward = pins_.snd_forward.read();
    const auto info = static_cast<std::uint32_t>(pins_.snd_info.read());
    m.at = info & 3U;
    m.fault = info >> 2U & 7U;
    m.failed_at = (info & 32U) != 0 ? 0 : -1;
    return m;
  }

  SetupEvent observe(std::deque<SetupEvent>& queue, const std::string& text) {
    if (queue.empty()) {
      error(text + " out of nowhere");
      return {};
    }
    SetupEvent event = std::move(queue.front());
    queue.pop_front();
    if (event.text != text) error(text + " instead of " + event.text);
    return event;
  }
  void error(const std::string& text) { this->errors().add(this->cycle(), text); }

  SetupShape shape_;
  const SetupDriver* driver_ = nullptr;
  Source source_;
  RandomStream noise_{1, "setup_unit noise"};
  bool reset_ = true;
  bool busy_ = false;
  Cycle begun_ = -1;
  std::uint32_t cycles_ = 0;
  Cycle next_free_ = -1;
  std::uint32_t key_now_ = 0;
  bool any_key_ = false;
  std::deque<SetupEvent> accesses_;
  std::deque<SetupEvent> sends_;
  bool lut_asked_ = false;
  bool table_asked_ = false;
  SlotLutResponse lut_answer_;
  Cycle table_answer_ = 0;
  std::optional<std::multiset<std::string>> readout_;
  std::uint32_t read_at_ = 0;
  bool full_allowed_ = false;
  std::uint64_t full_seen_ = 0;
  std::uint64_t commands_ = 0;
  SetupUnitWires<Dut> pins_{this->dut()};
};

}  // namespace weft::pins

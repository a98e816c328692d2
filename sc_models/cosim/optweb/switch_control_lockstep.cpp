#include "cosim/optweb/switch_control_lockstep.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/diagnostics.h"

namespace weft::optweb {
namespace {

std::string pins_text(const ControlPins& pins) {
  std::string out;
  const auto flag = [&](bool value, const char* name) {
    if (value) out += fmt::format("{}{}", out.empty() ? "" : " ", name);
  };
  const auto mask = [&](std::uint64_t value, const char* name) {
    if (value != 0) out += fmt::format("{}{}={:#x}", out.empty() ? "" : " ", name, value);
  };
  flag(pins.holds, "holds");
  flag(pins.set, "set");
  flag(pins.refused, "refused");
  flag(pins.cut, "cut");
  flag(pins.open, "open");
  flag(pins.noted, "noted");
  flag(pins.sent, "sent");
  flag(pins.received, "received");
  mask(pins.notify, "notify");
  mask(pins.confirm, "confirm");
  mask(pins.awaited, "awaited");
  mask(pins.unready, "unready");
  mask(pins.lost, "lost");
  mask(pins.pass, "pass");
  mask(pins.joined, "joined");
  mask(pins.taken, "taken");
  mask(pins.excess_sent, "excess sent");
  mask(pins.excess_received, "excess received");
  return fmt::format("{}; select {}; writer {}; words {}", out.empty() ? "nothing" : out, fmt::join(pins.select, " "),
                     fmt::join(pins.writer, " "), fmt::join(pins.words, " "));
}

std::string events_text(const ControlEvents& e) {
  return fmt::format("opens={:d} noted={:d} sent={:d} received={:d}", e.opens, e.noted, e.sent, e.received);
}

}  // namespace

LockstepSwitchControl::LockstepSwitchControl(BlockSite place, std::uint32_t ports, std::uint32_t own,
                                             std::unique_ptr<SwitchControlRtl> core, LockstepCount& count)
    : place_(std::move(place)), model_(ports, own), core_(std::move(core)), count_(count) {}

void LockstepSwitchControl::begin(Cycle now) {
  if (now == cycle_) return;
  cycle_ = now;
  ++count_.cycles;
  model_.begin();
}

// Ports that the node does not have must be quiet.
ControlEvents LockstepSwitchControl::compare(const std::string& event, const ControlEvents& model,
                                             const ControlEvents& rtl) const {
  ControlPins expected = model_.pins();
  ControlPins is = core_->pins();
  const std::size_t ports = is.select.size();
  expected.select.resize(ports);
  expected.writer.resize(ports);
  expected.words.resize(ports);
  if (model == rtl && expected == is) return model;
  throw RunError(fmt::format("lockstep difference in {} {}\n  inputs: {}\n  model: {}, {}\n  rtl:   {}, {}",
                             place_.path, at_time(place_.now()), event, events_text(model), pins_text(expected),
                             events_text(rtl), pins_text(is)));
}

void LockstepSwitchControl::write(const ControlWord& word, Cycle now) {
  begin(now);
  core_->write(word, now);
  model_.write(word);
  compare(fmt::format("an instruction with {} streams and {} receipts", word.sends.size(), word.receives.size()), {},
          {});
}

ControlEvents LockstepSwitchControl::set(Cycle now) {
  begin(now);
  const ControlEvents rtl = core_->set(now);
  return compare("paths are set", model_.set(), rtl);
}

ControlEvents LockstepSwitchControl::notified(std::uint32_t port, Cycle now) {
  begin(now);
  const ControlEvents rtl = core_->notified(port, now);
  return compare(fmt::format("notification of port {}", port), model_.notified(port), rtl);
}

ControlEvents LockstepSwitchControl::passed(std::uint32_t reader, std::uint64_t words, Cycle now) {
  begin(now);
  const ControlEvents rtl = core_->passed(reader, words, now);
  return compare(fmt::format("{} words of R#{}", words, reader), model_.passed(reader, words), rtl);
}

ControlEvents LockstepSwitchControl::counted(std::uint32_t port, std::uint64_t words, Cycle now) {
  begin(now);
  const ControlEvents rtl = core_->counted(port, words, now);
  return compare(fmt::format("{} words counted of port {}", words, port), model_.counted(port, words), rtl);
}

void LockstepSwitchControl::clear(Cycle now) {
  begin(now);
  core_->clear(now);
  model_.clear();
  compare("the instruction is over", {}, {});
}

}  // namespace weft::optweb

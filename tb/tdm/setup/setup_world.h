#pragma once
// Surroundings of the unit in the setup_unit bench: a switch with a slot LUT, a slot table and links, which writes down
// every access as text; and the texts.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "fabrics/tdm/setup/switch_circuits.h"

namespace weft::pins {

/// Size of the block, and the frame that it is used with.
struct SetupShape {
  std::uint32_t ports;
  std::uint32_t slots;
  std::uint32_t circuits;
  std::uint32_t frame;
  std::uint32_t time_bits;
};

/// Something that the unit does at its pins, in the order of its cycles.
struct SetupEvent {
  std::string text;     ///< the same for the same values of all pins that count
  SlotLutResponse lut;  ///< answer of the slot LUT
  Cycle cycle = 0;      ///< answer of the slot table
};

/// Switch around the unit: a slot LUT, a slot table that is busy at times, links that fail. It writes down every
/// access.
class SetupWorld final : public SwitchAccess {
 public:
  SetupWorld(const SetupShape& shape, const SetupTiming& timing);
  SlotLutResponse ask(Cycle now, const SlotLutRequest& request, std::uint32_t flow) override;
  Cycle in_force(Cycle now, std::uint32_t columns) override;
  Cycle change(Cycle now, const TableChange& change) override;
  void drain_begins(PortId port) override;
  void drain_ends(Cycle now, PortId port) override;
  bool usable(Cycle, PortId port) const override { return (usable_ >> port & 1U) != 0; }
  bool failed(PortId port) const override { return (failed_ >> port & 1U) != 0; }
  std::uint32_t holder(PortId port) const override { return port % 4; }

  void set_links(std::uint32_t usable, std::uint32_t failed) {
    usable_ = usable;
    failed_ = failed;
  }
  std::uint32_t usable_ports() const { return usable_; }
  std::uint32_t failed_ports() const { return failed_; }
  std::deque<SetupEvent> take() { return std::move(events_); }
  void send(const SetupSend& send);
  SlotLut& lut() { return lut_; }

 private:
  SetupShape shape_;
  SetupTiming timing_;
  SlotLut lut_;
  std::uint32_t usable_;
  std::uint32_t failed_ = 0;
  std::deque<SetupEvent> events_;
};

/// Texts of what the pins show, made by the reference and by the bench.
std::string lut_event(std::uint32_t op, std::uint32_t row, const SlotSet& slots);
std::string question_event(std::uint32_t columns);
/// `from`: the input's slots; empty: the same.
std::string change_event(bool set, PortId in, std::uint32_t outs, const SlotSet& slots,
                         const std::vector<Slot>& from = {});
std::string drain_event(bool begins, std::uint32_t ports);
/// Only what the kind of the message uses.
std::string send_event(PortId port, const SetupMessage& message);
/// Numbers that stand for (at, fault, failed_at) and for a key on the pins.
std::uint32_t info_number(const SetupMessage& message);
std::uint32_t key_number(const CircuitKey& key);

}  // namespace weft::pins

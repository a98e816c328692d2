#pragma once
// Outputs of rtl/optweb/switch_control.sv in one cycle, and the control that says what they must be: the events of a
// cycle go through it to optweb::SwitchControl. For benches and lockstep.

#include <cstdint>
#include <vector>

#include "algorithms/optweb/control/switch_control.h"

namespace weft::optweb {

/// Pins of one bit per port are masks, port 0 in the lowest bit: at most 64 ports.
struct ControlPins {
  bool refused = false;
  bool holds = false;
  bool set = false;
  bool cut = false;
  bool noted = false;
  bool open = false;
  bool sent = false;
  bool received = false;
  std::uint64_t notify = 0;
  std::uint64_t confirm = 0;
  std::uint64_t awaited = 0;
  std::uint64_t unready = 0;
  std::uint64_t lost = 0;
  std::uint64_t pass = 0;
  std::uint64_t joined = 0;
  std::uint64_t taken = 0;
  std::uint64_t excess_sent = 0;
  std::uint64_t excess_received = 0;
  std::vector<std::uint32_t> select;  // by port
  std::vector<std::uint32_t> writer;
  std::vector<std::uint64_t> words;
  bool operator==(const ControlPins&) const = default;
};

class SwitchControlPins {
 public:
  SwitchControlPins(std::uint32_t ports, std::uint32_t own) : model_(ports, own) { begin(); }

  /// A new cycle.
  void begin();
  // Events of the cycle, in this order.
  ControlEvents notified(std::uint32_t port);
  ControlEvents set();
  ControlEvents passed(std::uint32_t reader, std::uint64_t words);
  ControlEvents counted(std::uint32_t port, std::uint64_t words);
  void clear();
  void write(const ControlWord& word);
  /// Outputs with all events so far.
  ControlPins pins() const;
  const SwitchControl& model() const { return model_; }

 private:
  static std::uint64_t bit(std::uint32_t port) { return std::uint64_t{1} << port; }
  ControlEvents note(const ControlEvents& events);
  /// Outputs that follow from the state of the control.
  void show(ControlPins& pins) const;

  SwitchControl model_;
  ControlPins pins_;  // without what show() adds, until the instruction is cleared
  bool cleared_ = false;
};

}  // namespace weft::optweb

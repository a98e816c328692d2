#pragma once
// Verilated block of a network: its site, its waves, and ends of the RTL as errors of the run.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

class VerilatedContext;

namespace weft {

class RtlMessages;
class WaveFile;

/// Site of a Verilated block, for messages.
struct RtlSite {
  std::string path;
  std::function<std::string()> now;  ///< the time of the present step, as "5ns (cycle 1)"; "" before cycle 0
};
/// "at 5ns (cycle 1)", or "before time begins" for "".
std::string at_time(const std::string& now);

/// Bits of the pins of a block but clock and reset, and those that have been both 0 and 1 at the end of a cycle.
struct PinToggles {
  std::uint64_t bits = 0;
  std::uint64_t toggled = 0;
};

/// A Verilated block: it knows its place, and its signals can be put into a waveform. A $stop, $finish, $fatal, $error
/// or failed assertion of the RTL throws RunError with the place and what the RTL has said.
class RtlBlock {
 public:
  virtual ~RtlBlock() = default;
  virtual void stand(RtlSite site) = 0;
  /// Before the first step, and before the file is opened.
  virtual void trace(WaveFile& file) = 0;
  /// In waves: the steps so far lie before the next cycle.
  virtual void settle() = 0;
  /// In waves, at the end of a cycle: the signals of this cycle, clock high.
  virtual void show_cycle() = 0;
  /// The same, clock low.
  virtual void show_half() = 0;
  /// The waveform is over: nothing is kept for it any more.
  virtual void end_trace() {}
  /// From now on it notes what its pins do.
  virtual void watch_pins() {}
  virtual PinToggles toggles() const { return {}; }
  /// Its cover properties are those of this context with these scopes; null: it is none of Verilator's.
  virtual VerilatedContext* context() const { return nullptr; }
  virtual std::string scopes() const { return {}; }
  /// The run fails in the cycle whose inputs have been set, before the edge that ends it: waves show these inputs all
  /// the same.
  virtual void break_off() {}
};

/// Prints what the RTL of a block has said in one step; throws RunError when it has ended. `scopes`: name of the block
/// in its text.
void tell_rtl_messages(RtlMessages& said, const RtlSite& site, const std::string& scopes);

/// Context of the Verilated blocks of one network; they must not outlive it.
std::shared_ptr<VerilatedContext> make_rtl_context();

/// Name of a Verilated top module for which waves show nested scopes: blanks for dots.
std::string wave_scopes(std::string path);

}  // namespace weft

#pragma once
// RTL of the host interface of FiC nodes (rtl/tdm/host_interface.sv) as a plain object with a clock to call.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "cosim/common/rtl_block.h"

namespace weft {

/// Word that the block shows on one link in one cycle, in either direction; `circuit`: the number that its table has.
struct HostWord {
  bool valid = false;
  std::uint32_t circuit = 0;
  std::uint32_t index = 0;
  bool first = false;
  bool last = false;
  std::uint64_t bits = 0;
  bool operator==(const HostWord&) const = default;
};

/// One cycle: begin_cycle(), offers, outputs; inputs, update_outputs(), all outputs; tables; end_cycle().
class HostInterfaceRtl : public RtlBlock {
 public:
  /// Slot counter and label of what arrives. No message comes, no word arrives.
  virtual void begin_cycle(Slot slot, Slot label) = 0;
  /// Whether a message of the circuit can come.
  virtual bool ready(std::uint32_t circuit) const = 0;
  /// A message of the circuit comes in this cycle.
  virtual void offer(std::uint32_t circuit, std::uint32_t words) = 0;
  virtual void set_data(std::uint32_t link, std::uint64_t bits) = 0;
  virtual void set_input(std::uint32_t link, bool last, std::uint64_t bits) = 0;
  /// Outputs for all inputs of this cycle.
  virtual void update_outputs() = 0;
  virtual HostWord out(std::uint32_t link) const = 0;
  virtual HostWord in(std::uint32_t link) const = 0;
  virtual bool stray(std::uint32_t link) const = 0;
  /// Writes slot's column of the shadow tables at the end of this cycle: the number of each link's circuit, or kNoId.
  virtual void write_column(Slot slot, const std::vector<std::uint32_t>& out, const std::vector<std::uint32_t>& in) = 0;
  virtual void request_swap() = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
  /// In waves, in a cycle whose edge has not been made: its slot and label.
  virtual void show_slot(Slot slot, Slot label) = 0;
};

/// Largest node that a block stands for. Each circuit has a slot of some link: Links * Slots numbers are always enough.
struct HostRtlSize {
  std::uint32_t links = 0;
  std::uint32_t slots = 0;
  std::uint32_t circuits = 0;
};
/// Size of the compiled block, 64 bits a word.
inline constexpr HostRtlSize kHostRtl{2, 32, 64};
inline constexpr std::uint32_t kHostRtlMessages = 2;

std::unique_ptr<HostInterfaceRtl> make_host_interface_rtl(VerilatedContext& context, const std::string& name);

/// Blocks that can stand for the interface of a host.
struct HostInterfaceBlock {
  std::string module = "host_interface";
  HostRtlSize largest = kHostRtl;
  std::function<std::unique_ptr<HostInterfaceRtl>(VerilatedContext&, const std::string& name)> make =
      make_host_interface_rtl;
};

}  // namespace weft

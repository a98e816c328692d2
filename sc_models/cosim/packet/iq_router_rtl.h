#pragma once
// rtl/packet/iq_router.sv as a plain object with a clock to call.
//
// The parts of a router that only delay need not be in the block: what its parameters BufferWrite, SwitchAllocation,
// Crossbar and Credit lack of the stages of the network is added around it (iq_rtl_driver.h). So one compiled size
// serves all networks that agree in the rest.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/ids.h"
#include "cosim/common/rtl_block.h"
#include "fabrics/packet/iq/parameters.h"

namespace weft {

/// Inputs of a cycle. Data of flits: a word of 32 bits, again and again over the width.
struct IqRouterInputs {
  struct Flit {
    bool valid = false;
    bool head = false;
    bool tail = false;
    std::uint8_t vc = 0;
    // With heads: ports of the hop, and the VCs it may take.
    PortId first = 0;
    std::uint32_t count = 0;
    std::uint32_t vcs = 0;
    std::uint32_t word = 0;
  };
  struct Credit {
    bool valid = false;
    std::uint8_t vc = 0;
    bool operator==(const Credit&) const = default;
  };
  std::vector<Flit> flits;      ///< per input port
  std::vector<Credit> credits;  ///< per output port
};

/// Outputs of a cycle. Without valid everything of a port is 0.
struct IqRouterOutputs {
  struct Flit {
    bool valid = false;
    bool head = false;
    bool tail = false;
    std::uint8_t vc = 0;
    std::uint32_t word = 0;
    bool torn = false;  ///< the data do not repeat that word
    bool operator==(const Flit&) const = default;
  };
  using Credit = IqRouterInputs::Credit;
  std::vector<Flit> flits;      ///< per output port
  std::vector<Credit> credits;  ///< per input port
  bool operator==(const IqRouterOutputs&) const = default;
};

/// One cycle: drive(), then end_cycle().
class IqRouterRtl : public RtlBlock {
 public:
  /// Sets the inputs of a cycle and reads its outputs.
  virtual const IqRouterOutputs& drive(const IqRouterInputs& inputs) = 0;
  /// The rising edge that ends the cycle.
  virtual void end_cycle() = 0;
};

/// Parameters of a compiled size.
struct IqRouterRtlSize {
  std::uint32_t ports = 0;
  std::uint32_t vcs = 0;
  std::uint32_t trunk = 1;
  std::uint32_t width = 32;
  std::uint32_t buffer = 0;
  std::uint32_t buffer_write = 0;
  std::uint32_t routing = 1;
  std::uint32_t vc_allocation = 1;
  std::uint32_t switch_allocation = 0;
  std::uint32_t crossbar = 0;
  std::uint32_t credit = 0;
  std::uint32_t islip = 0;
  std::uint32_t iterations = 1;
  std::uint32_t when_empty = 0;
  bool operator==(const IqRouterRtlSize&) const = default;
};

// Compiled sizes of rtl/packet/iq_router.sv: routers of two-dimensional meshes and tori with up to 2 or 4 VCs of 8
// flits, one cycle of routing and VC allocation each, separable allocation or iSLIP of one round.

inline constexpr IqRouterRtlSize kIqRouter2{.ports = 5, .vcs = 2, .buffer = 8};
inline constexpr IqRouterRtlSize kIqRouter4{.ports = 5, .vcs = 4, .buffer = 8};
inline constexpr IqRouterRtlSize kIqRouterIslip{.ports = 5, .vcs = 4, .buffer = 8, .islip = 1};

/// Router that a block is to stand for.
struct IqRouterNeed {
  std::uint32_t ports = 0;
  std::uint32_t trunk = 1;  ///< most ports of a hop
  IqParameters parameters;
};

/// A reason why a block cannot: parameter of the network (key of `switch.iq`, "topology" or "routing"), and text.
struct IqRouterLimit {
  std::string key;
  std::string text;
};

/// Nothing when the Verilated block of this size can.
std::vector<IqRouterLimit> iq_router_rtl_limits(const IqRouterRtlSize& size, const IqRouterNeed& need);
/// The call that makes Weft's own RTL for such routers (docs/howto/rtl.md): "weft_add_block(router PLACE iq_router
/// ...)". Its stages that only delay are left to the network. Empty: the RTL cannot be of that size.
std::string iq_router_block_call(const IqRouterNeed& need);
/// The compiled size for a router: the smallest one that can stand for it, else the one with the fewest reasons.
IqRouterRtlSize compiled_iq_router(const IqRouterNeed& need);

/// The block of a compiled size after reset. `name`: scope in waves.
std::unique_ptr<IqRouterRtl> make_iq_router_rtl(VerilatedContext& context, const IqRouterRtlSize& size,
                                                const std::string& name);

/// Block that can stand for an input-queued router.
struct IqRouterBlock {
  std::string module = "iq_router";  ///< name of its top module
  std::function<IqRouterRtlSize(const IqRouterNeed&)> size = compiled_iq_router;
  std::function<std::unique_ptr<IqRouterRtl>(VerilatedContext&, const IqRouterRtlSize&, const std::string& name)> make =
      make_iq_router_rtl;
};

}  // namespace weft

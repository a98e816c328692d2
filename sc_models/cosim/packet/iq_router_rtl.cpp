#include "cosim/packet/iq_router_rtl.h"

#include <fmt/format.h>

#include <limits>

#include "cosim/common/compiled_rtl.h"

namespace weft {

std::vector<IqRouterLimit> iq_router_rtl_limits(const IqRouterRtlSize& size, const IqRouterNeed& need) {
  const IqParameters& p = need.parameters;
  std::vector<IqRouterLimit> out;
  const auto most = [&](const char* key, std::uint32_t wanted, std::uint32_t has, const std::string& what) {
    if (wanted > has) out.push_back({key, fmt::format("{} {}; the compiled RTL has {}", wanted, what, has)});
  };
  const auto same = [&](const char* key, Cycle wanted, std::uint32_t has, const std::string& what) {
    if (wanted != has) out.push_back({key, fmt::format("{} {}; the compiled RTL has {}", wanted, what, has)});
  };
  // What the block lacks of these stages is added around it.
  const auto least = [&](const char* key, Cycle has, Cycle rtl, const std::string& what) {
    if (has < rtl) out.push_back({key, fmt::format("{} cycles {}; the compiled RTL takes {}", has, what, rtl)});
  };
  most("topology", need.ports, size.ports, "ports of a switch");
  most("routing", need.trunk, size.trunk, "ports of a hop");
  most("vcs", p.vcs, size.vcs, "VCs");
  same("buffer", p.buffer, size.buffer, "flits per VC");
  same("stages.routing", p.routing, size.routing, "cycles");
  same("stages.vc_allocation", p.vc_allocation, size.vc_allocation, "cycles");
  least("stages.buffer_write", p.buffer_write, size.buffer_write, "from arrival until a flit can be used");
  least("stages.crossbar", p.switch_allocation + p.crossbar, Cycle{size.switch_allocation} + size.crossbar,
        "from the grant of the switch to the link");
  least("link.credit_delay", p.switch_allocation + p.credit, Cycle{size.switch_allocation} + size.credit + 1,
        "from the grant of the switch until the sender has the credit");
  const bool islip = p.allocation == IqAllocation::islip;
  if (islip != (size.islip != 0)) {
    out.push_back({"allocator", fmt::format("{}; the compiled RTL has {}", word_of(p.allocation),
                                            word_of(size.islip != 0 ? IqAllocation::islip : IqAllocation::separable))});
  } else {
    same("iterations", p.iterations, size.iterations, "rounds of iSLIP");
  }
  if ((p.reuse == IqReuse::when_empty) != (size.when_empty != 0)) {
    out.push_back({"reuse", fmt::format("{}; the compiled RTL has {}", word_of(p.reuse),
                                        word_of(size.when_empty != 0 ? IqReuse::when_empty : IqReuse::after_tail))});
  }
  return out;
}

std::string iq_router_block_call(const IqRouterNeed& need) {
  const IqParameters& p = need.parameters;
  // rtl/packet/iq_router.sv, parameters
  if (need.ports < 2 || need.ports > 16 || p.vcs > 16 || need.ports * p.vcs > 64 || p.buffer > 1024) return "";
  if (p.routing > 16 || p.vc_allocation > 16) return "";
  const auto flag = [](bool is) { return is ? 1 : 0; };
  return fmt::format(
      "weft_add_block(router PLACE iq_router PARAMETERS Ports={} Vcs={} Trunk={} Width=32 Buffer={} BufferWrite=0 "
      "Routing={} VcAllocation={} SwitchAllocation=0 Crossbar=0 Credit=0 Islip={} Iterations={} WhenEmpty={})",
      need.ports, p.vcs, need.trunk, p.buffer, p.routing, p.vc_allocation, flag(p.allocation == IqAllocation::islip),
      p.iterations, flag(p.reuse == IqReuse::when_empty));
}

IqRouterRtlSize compiled_iq_router(const IqRouterNeed& need) {
  IqRouterRtlSize best;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (const IqRouterRtlSize& size : {kIqRouter2, kIqRouter4, kIqRouterIslip}) {
    const std::size_t limits = iq_router_rtl_limits(size, need).size();
    if (limits > fewest || fewest == 0) continue;  // of those that cannot, the last one can most
    best = size;
    fewest = limits;
  }
  return best;
}

std::unique_ptr<IqRouterRtl> make_iq_router_rtl(VerilatedContext& context, const IqRouterRtlSize& size,
                                                const std::string& name) {
  return compiled<decltype(make_iq_router_rtl)>("iq_router")(context, size, name);
}

}  // namespace weft

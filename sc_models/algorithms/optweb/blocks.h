#pragma once
// Factory of the replaceable blocks of a node: the plain models here, Verilated RTL or lockstep pairs when cosim puts
// its own in place.

#include <functional>
#include <memory>
#include <string>

#include "algorithms/optweb/command_sequencer.h"
#include "algorithms/optweb/control/switch_control.h"
#include "algorithms/optweb/link_sync.h"
#include "algorithms/optweb/stripe_address.h"

namespace weft::optweb {

/// Site of a replaceable block.
struct BlockSite {
  std::uint32_t node = 0;
  std::string path;  ///< of the block, as "optweb.node[3].switch.link[1].receiver"
  std::function<std::string()>
      now;  ///< the time of the present step for messages, as "5ns (cycle 1)"; "" before cycle 0
};

class BlockFactory {
 public:
  virtual ~BlockFactory() = default;
  virtual std::unique_ptr<LinkSyncIf> link_sync(const BlockSite& site, std::uint32_t gap);
  virtual std::unique_ptr<StripeAddressIf> stripe_address(const BlockSite& site, const StripeGeometry& geometry);
  virtual std::unique_ptr<CommandSequencerIf> command_sequencer(const BlockSite& site, std::uint32_t depth);
  /// `own`: the port of the node itself.
  virtual std::unique_ptr<SwitchControlIf> switch_control(const BlockSite& site, std::uint32_t ports,
                                                          std::uint32_t own);
};

}  // namespace weft::optweb

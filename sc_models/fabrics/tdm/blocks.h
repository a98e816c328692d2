#pragma once
// Factory of the replaceable blocks of a switch and of the interfaces of its hosts: the plain models by default,
// Verilated RTL or lockstep pairs when the program (cosim) puts its own factory in place.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "fabrics/tdm/data_path.h"
#include "fabrics/tdm/host_interface.h"

namespace weft {

/// Site of a replaceable block.
struct BlockSite {
  SwitchId sw = 0;
  std::string path;  ///< SystemC name of the switch
  PortId ports = 0;
  std::uint32_t slots = 0;
  std::vector<Cycle> input_latency;  ///< per input port: cycles from the sender's slot to the register
  const ClockDomain* domain = nullptr;
  std::function<std::string(MessageId)> describe_message;  ///< "message 3 of circuit 7 (0 -> 5)"
};

class BlockFactory {
 public:
  virtual ~BlockFactory() = default;
  virtual std::unique_ptr<DataPath> data_path(const BlockSite& site, DataPathClient& client);
  virtual std::unique_ptr<SlotLutIf> slot_lut(const BlockSite& site);
  virtual std::unique_ptr<HostInterface> host_interface(const HostSite& site, HostInterfaceClient& client);
};

}  // namespace weft

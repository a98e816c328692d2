#pragma once
// TLM-2.0 protocol of the control channel that runs beside each link: one non-blocking call per message, annotated with
// its latency. Both directions of a link are sockets of their own, so there is no backward path.

#include <tlm>

#include "fabrics/tdm/setup/message.h"
#include "kernel/link_socket.h"

namespace weft {

struct SetupProtocol {
  using tlm_payload_type = SetupMessage;
  using tlm_phase_type = tlm::tlm_phase;
};

using SetupReceiver = LinkReceiver<SetupProtocol>;
using SetupInPort = LinkInPort<SetupProtocol>;
using SetupOutPort = LinkOutPort<SetupProtocol>;

}  // namespace weft

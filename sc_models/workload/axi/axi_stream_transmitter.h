#pragma once
// AXI4-Stream interface for a receiver: it takes TLM-2.0 writes, such as from the target_side of a bridge
// (workload/tlm_bridge.h), and drives their bytes as packets at the pins (Arm IHI 0051).
//
// Both styles of the base protocol. Time: pins are sampled at the rising edge of the clock, and driven by registers. A
// write that comes strictly before an edge has its first beat behind that edge, if the pins are free, then one in each
// cycle; it is answered at the edge at which its last beat is taken. Writes go out in the order in which they came,
// whole.
//
// TID, TDEST and TLAST are those of the packet that a receiver (axi_stream_receiver.h) made the write of; any other
// write is a packet of its own with TID and TDEST 0. Bytes fill the bus from lane 0 on, the rest of the last beat is
// null; disabled bytes are position bytes, so their TSTRB is 0. A TID or TDEST with more bits than its pins is answered
// with TLM_ADDRESS_ERROR_RESPONSE, and is an sc_report warning. Reads get TLM_COMMAND_ERROR_RESPONSE; there is no DMI
// and no debug transport over pins.
//
// Reset: a write on the pins ends with TLM_GENERIC_ERROR_RESPONSE at the first edge of the reset, and so do later the
// further pieces of a packet of which the receiver has seen some; all others wait for its end.

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <deque>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>

#include "workload/axi/axi_port.h"
#include "workload/axi/axi_stream_pins.h"
#include "workload/tlm_phases.h"

namespace weft::axi {

struct StreamTransmitterOptions {
  std::uint32_t outstanding = 16;  ///< writes that are there at once, at least 1
};

/// Without pins: the state behind them, a step per clock.
class StreamTransmitter : public ClockedModule {
 public:
  using Options = StreamTransmitterOptions;
  /// `bus`: bytes of TDATA. Throws InputError for options out of their range.
  StreamTransmitter(sc_core::sc_module_name name, std::uint32_t bus, const StreamTransmitterOptions& options);
  tlm_utils::simple_target_socket<StreamTransmitter> socket{"socket"};
  std::uint64_t broken_off = 0;  ///< writes that a reset has ended

  /// Of the pins. Before time begins.
  void limit_to(const PinWidths& widths) { widths_ = widths; }
  /// `ready`: TREADY before a rising edge. Returns what is driven behind it.
  const StreamPins& clock(bool ready);
  /// A rising edge in reset.
  const StreamPins& reset();

 private:
  struct Item {
    TlmPayload* payload = nullptr;
    sc_core::sc_event* done = nullptr;  ///< of b_transport; null: by nb_transport
    sc_core::sc_time came;
    std::uint32_t sent = 0;  ///< bytes that are on the pins, or were
  };
  void b_transport(TlmPayload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void add(TlmPayload& payload, sc_core::sc_event* done);
  tlm::tlm_response_status refusal(const TlmPayload& payload);
  void drive(Item& item);
  void begin_or_end(const StreamPacket& packet);
  void answer(tlm::tlm_response_status status);

  const std::uint32_t bus_;
  PinWidths widths_;
  StreamPins out_;
  std::deque<Item> items_;                                            // in the order in which they came
  using Streams = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // TID and TDEST
  Streams begun_;      // the receiver has seen pieces of a packet, but not its end
  Streams cut_;        // likewise, and a reset since
  bool ends_ = false;  // the beat on the pins is the last one of its write
  TlmTargetPhases phases_;
};

/// With pins.
template <unsigned DataBits, unsigned IdBits, unsigned DestBits>
using StreamTransmitterPort = Port<StreamTransmitter, StreamSignals<DataBits, IdBits, DestBits>>;

}  // namespace weft::axi

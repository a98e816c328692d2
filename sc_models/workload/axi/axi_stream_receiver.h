#pragma once
// AXI4-Stream interface for a transmitter: it drives TREADY (Arm IHI 0051) and makes a TLM-2.0 write of each packet,
// approximately timed, for the initiator_side of a bridge (workload/tlm_bridge.h) or any other target.
//
// Time: pins are sampled at the rising edge of the clock, and driven by registers. A packet goes out at the edge at
// which its beat with TLAST is taken; one that is longer than `packet` bytes in several transactions, each with the
// beat that no longer fits it. Packets of different TID or TDEST may be interleaved. Nodes that send such long packets
// to one TDEST need TIDs of their own: pieces with one TID and TDEST are put together in the order in which they come.
//
// A packet to TDEST d is written to the address base + d * stride, so an address map says which node d is. Null bytes
// are left out, position bytes are disabled. TREADY is low while `outstanding` transactions are under way: as long as a
// receiver at the other end does not take its beats, this is what holds the transmitter back.
//
// AXI4-Stream has no responses. An address that nobody owns and what the transmitter does against the rules
// (axi_stream_checker.h) are sc_report errors; a packet that is lost, since links have failed, is a warning and is
// counted.
//
// Reset: packets without their TLAST are forgotten; those that are complete arrive. If pieces of a packet have gone
// already, an empty piece with TLAST ends it.

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <systemc>
#include <tlm>
#include <utility>
#include <vector>

#include "workload/axi/axi_port.h"
#include "workload/axi/axi_stream_checker.h"
#include "workload/axi/axi_stream_pins.h"
#include "workload/tlm_phases.h"

namespace weft::axi {

struct StreamReceiverOptions {
  std::uint64_t base = 0;          ///< address of TDEST 0
  std::uint64_t stride = 4096;     ///< between the addresses of two destinations
  std::uint32_t packet = 4096;     ///< bytes of a transaction, from the bytes of the bus to the stride
  std::uint32_t outstanding = 16;  ///< transactions that are under way at once, at least 1
};

/// Without pins: the state behind them, a step per clock.
class StreamReceiver : public ClockedModule, private tlm::tlm_mm_interface {
 public:
  using Options = StreamReceiverOptions;
  /// `bus`: bytes of TDATA. Throws InputError for options out of their range.
  StreamReceiver(sc_core::sc_module_name name, std::uint32_t bus, const StreamReceiverOptions& options);
  ~StreamReceiver() override;
  tlm_utils::simple_initiator_socket<StreamReceiver> socket{"socket"};
  std::uint64_t lost = 0;  ///< transactions that did not arrive

  /// `in`: what the transmitter drives before a rising edge. Returns TREADY behind it.
  bool clock(const StreamPins& in);
  /// A rising edge in reset. Returns TREADY.
  bool reset();

 private:
  struct Item final : TlmPayload {
    std::vector<unsigned char> data;
    std::vector<unsigned char> enables;
    StreamPacket packet;
    bool has_position = false;  ///< a byte that is not data
  };
  void take(const StreamPins& in);
  Item& open_packet(const StreamPins& in);
  void close(Item& item, bool last);
  void send();
  void answered(Item& item);
  tlm::tlm_sync_enum nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void free(TlmPayload* payload) override;

  const std::uint32_t bus_;
  const StreamReceiverOptions options_;
  StreamChecker checker_;
  bool ready_ = false;
  std::vector<std::unique_ptr<Item>> items_;
  std::vector<Item*> free_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Item*> open_;  // by TID and TDEST: without their TLAST
  std::set<std::pair<std::uint32_t, std::uint32_t>> begun_;        // of these a piece has gone, but not the last
  std::deque<Item*> requests_;                                     // to be sent
  std::uint32_t under_way_ = 0;                                    // from TLAST to the edge behind the answer
  std::deque<sc_core::sc_time> answers_;                           // that no edge has seen
  TlmInitiatorPhases phases_;
};

/// With pins.
template <unsigned DataBits, unsigned IdBits, unsigned DestBits>
using StreamReceiverPort = Port<StreamReceiver, StreamSignals<DataBits, IdBits, DestBits>>;

}  // namespace weft::axi

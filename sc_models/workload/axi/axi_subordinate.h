#pragma once
// AXI4 interface for a manager: it drives the pins of a subordinate (Arm IHI 0022) and makes a TLM-2.0 transaction of
// each burst, approximately timed, for the initiator_side of a bridge (workload/tlm_bridge.h) or any other target.
//
// Time: pins are sampled at the rising edge of the clock, and driven by registers. A burst goes out at the edge at
// which its AR, or its AW and last W, whichever is later, is taken; one request in a time at its socket, reads and
// writes in turn. An answer that comes strictly before an edge is on B or R behind that edge, the beats of a burst one
// after the other. A W beat may come before its AW.
//
// Order: bursts of one ID and direction are answered in order (TlmId 2 * id for reads, 2 * id + 1 for writes). There is
// none between reads and writes, nor between IDs; read data are not interleaved.
//
// INCR, WRAP and FIXED, narrow and unaligned transfers: docs/axi.md says what transaction each becomes. Answers: OKAY;
// DECERR for an address error; SLVERR for all others and for bursts that break a rule of AXI, which are not sent.
// Exclusive accesses are answered as ordinary ones (OKAY, never EXOKAY). What the manager does against the rules of AXI
// is an sc_report error (axi_checker.h); W beats count as AWLEN says, whatever WLAST is.
//
// Reset: all bursts that came before are forgotten. Those in the network are carried out, and their answers dropped.

#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_pins.h"
#include "workload/axi/axi_port.h"
#include "workload/tlm_phases.h"

namespace weft::axi {

struct SubordinateOptions {
  /// Bursts that are under way at once, until their last R is taken; at least 1. Beyond that ARREADY is low.
  std::uint32_t reads = 16;
  std::uint32_t writes = 16;  ///< likewise until B is taken, and AWREADY
};

/// Without pins: the state behind them, a step per clock.
class Subordinate : public ClockedModule, private tlm::tlm_mm_interface {
 public:
  using Options = SubordinateOptions;
  /// `bus`: bytes of the data bus.
  Subordinate(sc_core::sc_module_name name, std::uint32_t bus, const SubordinateOptions& options);
  ~Subordinate() override;
  tlm_utils::simple_initiator_socket<Subordinate> socket{"socket"};
  std::uint64_t dropped = 0;  ///< answers that the manager did not get, since a reset came before

  /// `in`: what the manager drives before a rising edge. Returns what is driven behind it.
  const SubordinatePins& clock(const ManagerPins& in);
  /// A rising edge in reset.
  const SubordinatePins& reset();

 private:
  struct Item final : TlmPayload {
    std::vector<unsigned char> data;
    std::vector<unsigned char> enables;
    Address address;
    bool write = false;
    std::uint32_t beats = 0;  ///< that have come, or gone
    sc_core::sc_time answered;
    std::uint64_t resets = 0;  ///< edges in reset, before it
  };
  Item& take(const Address& address, bool write);
  void collect();
  void send();
  void answered(Item& item);
  void drive_b();
  void drive_r();
  tlm::tlm_sync_enum nb_transport_bw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void free(TlmPayload* payload) override;

  const std::uint32_t bus_;
  const SubordinateOptions options_;
  Checker checker_;
  SubordinatePins out_;
  std::vector<std::unique_ptr<Item>> items_;
  std::vector<Item*> free_;
  std::deque<Item*> writes_;       // whose data are not complete, in the order of their addresses
  std::deque<Data> data_;          // not yet of a burst
  std::deque<Item*> requests_[2];  // to be sent: reads, writes
  bool write_next_ = false;
  std::deque<Item*> b_;  // answers
  std::deque<Item*> r_;
  std::uint32_t open_[2] = {0, 0};  // reads, writes, from their address to the edge that takes their answer
  std::uint64_t resets_ = 0;
  TlmInitiatorPhases phases_;
};

/// With pins.
template <unsigned AddressBits, unsigned DataBits, unsigned IdBits>
using SubordinatePort = Port<Subordinate, Signals<AddressBits, DataBits, IdBits>>;

}  // namespace weft::axi

#pragma once
// AXI4 interface for a subordinate: it takes TLM-2.0 transactions, such as from the target_side of a bridge
// (workload/tlm_bridge.h), and makes bursts of them at the pins that it drives as a manager (Arm IHI 0022).
//
// Both styles of the base protocol; up to `outstanding` transactions are under way, and END_REQ comes when one more may
// be. Time: pins are sampled at the rising edge of the clock, and driven by registers. A transaction that comes
// strictly before an edge has its address on AW or AR behind that edge, if the channel is free, and its data on W from
// there on, a beat per cycle. BEGIN_RESP comes at the edge at which the last B or R is taken, one response at a time.
// BREADY and RREADY are always high.
//
// A transaction becomes INCR bursts with beats of the whole bus: one, or more at boundaries of 4 KiB, after 256 beats,
// and where a streaming width shorter than the data begins again; disabled bytes are not written, and bytes beyond the
// transaction in its first and last beat are read and dropped. The bursts of a transaction have one ID of their own, so
// subordinates may answer transactions in any order. Those that overlap an earlier one of which either writes wait
// until that one is answered. A transaction that ends beyond the address pins is answered at once with
// TLM_ADDRESS_ERROR_RESPONSE, and is an sc_report warning. Responses: SLVERR is TLM_GENERIC_ERROR_RESPONSE, DECERR
// TLM_ADDRESS_ERROR_RESPONSE, the worst of several counts; there is no DMI and no debug transport over pins. What the
// subordinate does against the rules of AXI is an sc_report error (axi_checker.h). Then beats count as AxLEN says; a B
// before the last W of its burst is SLVERR, and answers that nobody has asked for are dropped.
//
// Reset: a transaction of which anything has been on the pins ends with TLM_GENERIC_ERROR_RESPONSE at the first edge of
// the reset; all others wait for its end.

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "workload/axi/axi_checker.h"
#include "workload/axi/axi_pins.h"
#include "workload/axi/axi_port.h"
#include "workload/tlm_phases.h"

namespace weft::axi {

struct ManagerOptions {
  std::uint32_t outstanding = 16;  ///< transactions that are under way at once, at least 1
};

/// Without pins: the state behind them, a step per clock.
class Manager : public ClockedModule {
 public:
  using Options = ManagerOptions;
  /// `bus`: bytes of the data bus.
  Manager(sc_core::sc_module_name name, std::uint32_t bus, const ManagerOptions& options);
  /// Of the pins. Before time begins.
  void limit_to(const PinWidths& widths) { widths_ = widths; }
  tlm_utils::simple_target_socket<Manager> socket{"socket"};
  std::uint64_t broken_off = 0;  ///< transactions that a reset has ended

  /// `in`: what the subordinate drives before a rising edge. Returns what is driven behind it.
  const ManagerPins& clock(const SubordinatePins& in);
  /// A rising edge in reset.
  const ManagerPins& reset();

 private:
  struct Item {
    TlmPayload* payload = nullptr;
    sc_core::sc_event* done = nullptr;  ///< of b_transport; null: by nb_transport
    sc_core::sc_time came;
    bool write = false;
    bool issued = false;
    bool begun = false;  ///< an address or a beat of data has been on the pins
    std::uint32_t id = 0;
    std::vector<Piece> pieces;
    std::size_t answered = 0;  ///< pieces
    std::uint32_t beat = 0;    ///< of the piece that is being read
    Response worst = Response::okay;
  };
  struct WriteBeat {
    std::uint32_t id;
    Data data;
    bool last;
  };
  void b_transport(TlmPayload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum nb_transport_fw(TlmPayload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void add(TlmPayload& payload, sc_core::sc_event* done);
  bool fits(const TlmPayload& payload) const;
  void respond(TlmPayload& payload, sc_core::sc_event* done, tlm::tlm_response_status status);
  bool may_go(const Item& item) const;
  void issue();
  void issue(Item& item);
  void push_data(const Item& item, const Piece& piece);
  Item* under_way(bool write, std::uint32_t id);
  void take_b(const SubordinatePins& in);
  void take_r(const SubordinatePins& in);
  void answer(Item& item, Response response);
  void finish(Item& item);
  void begin(bool write, std::uint32_t id);

  const std::uint32_t bus_;
  PinWidths widths_;
  Checker checker_;
  ManagerPins out_;
  std::list<Item> items_;             // in the order in which they came
  std::deque<Address> addresses_[2];  // to be driven: reads, writes
  std::deque<WriteBeat> data_;
  std::uint32_t next_id_ = 0;
  TlmTargetPhases phases_;
};

/// With pins.
template <unsigned AddressBits, unsigned DataBits, unsigned IdBits>
using ManagerPort = Port<Manager, Signals<AddressBits, DataBits, IdBits>>;

}  // namespace weft::axi

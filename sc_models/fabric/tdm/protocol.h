#pragma once
// TLM-2.0 protocol of TDM links: the sockets between hosts and switches.
//
// Non-blocking forward transport only, one call per train (or cut), annotated with the delay from now to the first
// word's arrival at the receiver; always answered TLM_COMPLETED. There is no backward path, since a TDM circuit has no
// flow control: the bandwidth of its slots is its own.

#include <systemc>
#include <tlm>

#include "fabric/tdm/train.h"

namespace weft {

struct TdmTransfer {
  enum class Kind : std::uint8_t { train, cut } kind = Kind::train;
  Train train;  ///< start: cycle in which the first word arrives at the receiver
  TrainCut cut;
};

struct TdmProtocol {
  using tlm_payload_type = TdmTransfer;
  using tlm_phase_type = tlm::tlm_phase;
};

/// The receiving side's owner.
class TdmReceiver {
 public:
  virtual ~TdmReceiver() = default;
  virtual void receive(PortId in, const TdmTransfer& transfer) = 0;
};

/// Receiving end of a link: socket plus the forward interface behind it.
class TdmInPort final : public tlm::tlm_fw_transport_if<TdmProtocol> {
 public:
  TdmInPort(const char* name, TdmReceiver& owner, PortId port) : socket(name), owner_(owner), port_(port) {
    socket.bind(*this);
  }
  tlm::tlm_target_socket<32, TdmProtocol> socket;

  tlm::tlm_sync_enum nb_transport_fw(TdmTransfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) override {
    owner_.receive(port_, transfer);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(TdmTransfer&, sc_core::sc_time&) override {
    SC_REPORT_ERROR("weft/tdm", "TDM links carry trains by nb_transport_fw only");
  }
  bool get_direct_mem_ptr(TdmTransfer&, tlm::tlm_dmi&) override { return false; }
  unsigned int transport_dbg(TdmTransfer&) override { return 0; }

 private:
  TdmReceiver& owner_;
  PortId port_;
};

/// Sending end of a link.
class TdmOutPort final : public tlm::tlm_bw_transport_if<TdmProtocol> {
 public:
  explicit TdmOutPort(const char* name) : socket(name) { socket.bind(*this); }
  tlm::tlm_initiator_socket<32, TdmProtocol> socket;

  void send(TdmTransfer& transfer, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    socket->nb_transport_fw(transfer, phase, delay);
  }
  tlm::tlm_sync_enum nb_transport_bw(TdmTransfer&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace weft

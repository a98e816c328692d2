#pragma once
// FiC-SW: TDM circuit switch as a SystemC module with one TLM socket pair per connected port.
//
// The data path (data_path.h) and the slot LUT (slots/slot_lut.h) behind it are replaceable blocks. A word that the
// data path sends in cycle t reaches the register of the next switch `pipeline + serdes` cycles later, a host
// `pipeline` cycles later. Source: FiC paper, sections II.B, II.C and III.D.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "fabric/clock_domain.h"
#include "fabric/tdm/blocks.h"
#include "fabric/tdm/observers.h"
#include "fabric/tdm/protocol.h"

namespace weft {

struct TdmSwitchPorts {
  std::vector<bool> connected;        ///< per port: a host or another switch is behind it
  std::vector<Cycle> output_latency;  ///< per port: from the slot to the receiver
};

class TdmSwitch : public sc_core::sc_module, public TdmReceiver, public DataPathClient, public Agent {
 public:
  TdmSwitch(sc_core::sc_module_name name, ClockDomain& domain, BlockSite site, const TdmSwitchPorts& ports,
            BlockFactory& factory, const Observers& observers);
  ~TdmSwitch() override;

  using OnLost = std::function<void(PortId out, MessageId message, std::uint32_t words)>;

  TdmInPort& in(PortId port) { return *in_[port]; }
  TdmOutPort& out(PortId port) { return *out_[port]; }
  SlotLutIf& slot_lut() { return *slot_lut_; }

  void preset(const SlotTable& table) { data_path_->preset(table); }
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) { data_path_->load(now, table, cycles_per_slot); }
  void write_column(Cycle now, const SlotTable& table, Slot slot) { data_path_->write_column(now, table, slot); }
  void swap(Cycle now, Cycle boundary);
  /// Keeps track of what is on the wires, for output_fails(); call before the first cycle.
  /// Keeps track of what is on the wires, for output_fails(), which tells `lost` what was there; call before the first
  /// cycle.
  void expect_failures(OnLost lost) {
    on_wire_.resize(out_.size());
    lost_ = std::move(lost);
  }
  /// The link behind an output fails: words that have not arrived before cycle `now` are lost, and so is whatever
  /// leaves until output_works().
  void output_fails(Cycle now, PortId out);
  void output_works(PortId out) { silent_[out] = false; }

  void receive(PortId in, const TdmTransfer& transfer) override;
  void depart(PortId out, const Train& train) override;
  void depart_cut(PortId out, const TrainCut& cut) override;
  void wake(Cycle at, Phase phase, std::uint32_t token) override { domain_.schedule(at, phase, *this, token); }
  void due(Cycle now, std::uint32_t token) override { data_path_->due(now, token); }

 private:
  void keep(PortId out, const Train& train);
  std::vector<Train>::iterator find_on_wire(PortId out, const TrainCut& cut);

  ClockDomain& domain_;
  const Observers& observers_;
  SwitchId id_;
  std::vector<std::unique_ptr<TdmInPort>> in_;
  std::vector<std::unique_ptr<TdmOutPort>> out_;
  std::vector<Cycle> latency_;
  std::vector<sc_core::sc_time> delay_;
  std::uint32_t slots_;
  std::vector<bool> silent_;                 // per output: its link is down
  std::vector<std::vector<Train>> on_wire_;  // per output: trains of which a word may still arrive; empty: not kept
  OnLost lost_;
  std::unique_ptr<DataPath> data_path_;
  std::unique_ptr<SlotLutIf> slot_lut_;
};

}  // namespace weft

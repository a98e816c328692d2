#pragma once
// FiC-SW: TDM circuit switch as a SystemC module with a pair of link ports per connected port.
//
// The data path (data_path.h) and the slot LUT (algorithms/slots/slot_lut.h) behind it are replaceable blocks. A word
// that the data path sends in cycle t reaches the register of the next switch `pipeline + serdes` cycles later, a host
// `pipeline` cycles later. Source: FiC paper, sections II.B, II.C and III.D.

#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "fabrics/tdm/blocks.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/protocol.h"
#include "kernel/clock_domain.h"

namespace weft {

struct TdmSwitchPorts {
  std::vector<bool> connected;        ///< per port: a host or another switch is behind it
  std::vector<Cycle> output_latency;  ///< per port: from the slot to the receiver, or to an adapter before it
  std::vector<Cycle> adapter;         ///< per port: that one adds to the link behind it, 0: none
};

class TdmSwitch : public sc_core::sc_module, public TdmReceiver, public DataPathClient, public Agent {
 public:
  TdmSwitch(sc_core::sc_module_name name, ClockDomain& domain, BlockSite site, const TdmSwitchPorts& ports,
            BlockFactory& factory, const Observers& observers);
  ~TdmSwitch() override;

  /// Words of one message that a link which is down took or stopped.
  struct LinkLoss {
    PortId out = kNoPort;
    std::uint32_t fault = 0;  ///< as output_fails() was told
    MessageId message = 0;
    bool on_wire = false;    ///< else they were to leave, and could not
    std::int64_t words = 0;  ///< less than 0, of those that could not leave: not as many came as was said
  };
  using OnLost = std::function<void(const LinkLoss& loss)>;

  TdmInPort& in(PortId port) { return *in_[port]; }
  TdmOutPort& out(PortId port) { return *out_[port]; }
  SlotLutIf& slot_lut() { return *slot_lut_; }

  void preset(const SlotTable& table) { data_path_->preset(table); }
  void load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) { data_path_->load(now, table, cycles_per_slot); }
  void write_column(Cycle now, const SlotTable& table, Slot slot) { data_path_->write_column(now, table, slot); }
  void swap(Cycle now, Cycle boundary);
  /// Keeps track of what is on the wires, for output_fails(), and tells `lost` what comes to nothing; call before the
  /// first cycle.
  void expect_failures(OnLost lost) {
    on_wire_.resize(out_.size());
    stopped_.resize(out_.size());
    lost_ = std::move(lost);
  }
  /// The link behind an output fails: words that have not arrived before cycle `now` are lost, and so are all words of
  /// the trains that are leaving or begin to leave until output_works(). Told again when another failure holds the
  /// link.
  void output_fails(Cycle now, PortId out, std::uint32_t fault);
  void output_works(PortId out) { silent_[out] = kNoId; }

  void receive(PortId in, const TdmTransfer& transfer) override;
  void depart(PortId out, const Train& train) override;
  void depart_cut(PortId out, const TrainCut& asked) override;
  void wake(Cycle at, Phase phase, std::uint32_t token) override { domain_.schedule(at, phase, *this, token); }
  void due(Cycle now, std::uint32_t token) override { data_path_->due(now, token); }

 private:
  struct Stopped {
    Train train;              // as it would have left
    std::uint32_t fault = 0;  // that stopped it
    std::uint32_t left = 0;   // words that had left before
  };
  void keep(PortId out, const Train& train);
  void stop(PortId out, const Train& train, std::uint32_t left);
  void cut_stopped(PortId out, const TrainCut& cut);
  bool over(PortId out, const Train& train) const { return train.last(slots_) + wire_[out] < domain_.now(); }

  ClockDomain& domain_;
  const Observers& observers_;
  SwitchId id_;
  std::vector<std::unique_ptr<TdmInPort>> in_;
  std::vector<std::unique_ptr<TdmOutPort>> out_;
  std::vector<Cycle> latency_;
  std::vector<Cycle> wire_;  // the same with adapters
  std::vector<sc_core::sc_time> delay_;
  std::uint32_t slots_;
  std::vector<std::uint32_t> silent_;          // per output: the fault that holds its link down, kNoId: none
  std::vector<std::vector<Train>> on_wire_;    // per output: trains of which a word may still arrive; empty: not kept
  std::vector<std::vector<Stopped>> stopped_;  // per output: trains that may still turn out to be shorter
  OnLost lost_;
  std::unique_ptr<DataPath> data_path_;
  std::unique_ptr<SlotLutIf> slot_lut_;
};

}  // namespace weft

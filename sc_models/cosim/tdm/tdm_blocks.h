#pragma once
// Factory of the FiC switch's replaceable blocks: model, RTL or both in lockstep, as the configuration says per switch.
//
// rtl       the Verilated block alone stands in the network.
// lockstep  the model drives the network; the RTL gets the same inputs, and every output of every cycle (data path) and
//           every response (slot LUT) is compared,
//           and of a setup unit every access and every message. The first difference stops the run with time, place,
//           inputs and both outputs.
// All three give the same results to the bit.

#include <memory>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/setup/setup_blocks.h"
#include "network/graph.h"

namespace weft {

class HostRtlDriver;
class RtlDriver;

class TdmBlocks final : public SetupBlockFactory {
 public:
  /// Both must outlive the factory.
  TdmBlocks(const TdmConfig& config, const TdmRtlBlocks& blocks);
  ~TdmBlocks() override;

  std::unique_ptr<DataPath> data_path(const BlockSite& site, DataPathClient& client) override;
  std::unique_ptr<SlotLutIf> slot_lut(const BlockSite& site) override;
  std::unique_ptr<SwitchCircuitsIf> setup_unit(const BlockSite& site, const SetupSite& setup,
                                               SwitchAccess& access) override;
  std::unique_ptr<HostInterface> host_interface(const HostSite& site, HostInterfaceClient& client) override;

  /// The Verilated blocks of the switches for which `watched` holds, and of their nodes, to be put into a waveform.
  void trace(WaveFile& file, const Graph& graph, const std::vector<bool>& watched);
  /// Per cycle while tracing, at its end: the signals of this cycle, clock high; then clock low.
  void show_cycle(Cycle now);
  void show_half();
  /// Whether any are shown.
  bool traces() const;
  /// The waveform is over: nothing is kept for it any more.
  void end_trace();

  const LockstepCounts& compared() const { return compared_; }

 private:
  struct Traceable {
    SwitchId sw;  // of a host: kNoId
    RtlBlock* block;
    RtlDriver* driver;  // nullptr: slot LUT, setup unit, host
    HostRtlDriver* host = nullptr;
    bool traced = false;
  };
  const TdmConfig& config_;
  const TdmRtlBlocks& blocks_;
  std::shared_ptr<VerilatedContext> context_;
  std::vector<Traceable> traceable_;
  LockstepCounts compared_;
};

/// Throws InputError when a switch asks for RTL that nobody has registered, or that is smaller than the switch.
void check_rtl(const TdmConfig& config, const TdmRtlBlocks& blocks, const std::vector<PortId>& ports_of_switch);
/// The same for nodes.
void check_host_rtl(const TdmConfig& config, const TdmRtlBlocks& blocks, const Graph& graph);

}  // namespace weft

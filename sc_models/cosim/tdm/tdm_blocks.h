#pragma once
// Factory of the FiC switch's replaceable blocks: model, RTL or both in lockstep, as the configuration says per switch.
//
// rtl       the Verilated block alone stands in the network.
// lockstep  the model drives the network; the RTL gets the same inputs, and every output of every cycle (data path) and
//           every response (slot LUT) is compared. The first difference stops the run with time, place, inputs and both
//           outputs.
// All three give the same results to the bit.

#include <functional>
#include <memory>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/tdm/tdm_rtl.h"
#include "fabrics/tdm/blocks.h"
#include "fabrics/tdm/keys/tdm_config.h"

namespace weft {

class RtlDriver;

/// Makers of the Verilated blocks; a test puts faulty copies here.
using TdmSwitchRtlMaker = std::function<std::unique_ptr<TdmSwitchRtl>(VerilatedContext&, std::uint32_t ports,
                                                                      std::uint32_t slots, const std::string& name)>;
using SlotLutRtlMaker = std::function<std::unique_ptr<SlotLutRtl>(VerilatedContext&, std::uint32_t ports,
                                                                  std::uint32_t slots, const std::string& name)>;

class TdmBlocks final : public BlockFactory {
 public:
  explicit TdmBlocks(const TdmConfig& config, TdmSwitchRtlMaker make_switch = make_tdm_switch_rtl,
                     SlotLutRtlMaker make_slot_lut = make_slot_lut_rtl);
  ~TdmBlocks() override;

  std::unique_ptr<DataPath> data_path(const BlockSite& site, DataPathClient& client) override;
  std::unique_ptr<SlotLutIf> slot_lut(const BlockSite& site) override;

  /// The Verilated blocks of the switches for which `watched` holds, to be put into a waveform.
  void trace(WaveFile& file, const std::vector<bool>& watched);
  /// Per cycle while tracing, at its end: the signals of this cycle, clock high; then clock low.
  void show_cycle(Cycle now);
  void show_half();

  const LockstepCounts& compared() const { return compared_; }

 private:
  struct Traceable {
    SwitchId sw;
    RtlBlock* block;
    RtlDriver* driver;  // nullptr: slot LUT
    bool traced = false;
  };
  const TdmConfig& config_;
  TdmSwitchRtlMaker make_switch_;
  SlotLutRtlMaker make_slot_lut_;
  std::shared_ptr<VerilatedContext> context_;
  std::vector<Traceable> traceable_;
  LockstepCounts compared_;
};

/// Throws InputError when a switch whose RTL is asked for is larger than the compiled RTL.
void check_rtl_sizes(const TdmConfig& config, const std::vector<PortId>& ports_of_switch);

}  // namespace weft

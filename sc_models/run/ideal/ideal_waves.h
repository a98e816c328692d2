#pragma once
// The waveform of an ideal network: what leaves its nodes and arrives at them.

#include <string>

#include "fabrics/ideal/ideal_network.h"
#include "fabrics/ideal/keys/ideal_config.h"
#include "fabrics/ideal/observe/ideal_wave_view.h"
#include "run/waves/cycle_waves.h"

namespace weft {

class IdealWaves final : public CycleWaves {
 public:
  /// Throws InputError for a file that cannot be written. References must outlive the waves.
  IdealWaves(const std::string& path, const IdealConfig& config, const Part& part, IdealNetwork& network);

 private:
  void show(Cycle cycle, bool /*written*/) override { view_.show(cycle); }
  Cycle first_activity() const override { return view_.first_activity(); }
  std::string view(const std::string& fst, Cycle first) override;

  IdealWaveView view_;
};

}  // namespace weft

#pragma once
// Work that a network has within itself, told to the waves as transfers over endpoints are: to the search for the one
// of observe.waves.trigger, and to the transactions of observe.waves.transfers.

#include <memory>
#include <optional>

#include "kernel/record.h"
#include "run/waves/transfer_streams.h"
#include "workload/wave_trigger.h"

namespace weft {

class WaveRecords {
 public:
  /// Texts of a transfer that the search has found, and of a row.
  struct Texts {
    WaveTriggerWatch::Text found;  ///< is asked when the run is over
    TransferStreams::Text row;
  };

  /// Before the waveform is opened. `watch`, `shown`: null or nothing where nobody asks. `tick`: of the times of
  /// records.
  void open(WaveTriggerWatch* watch, const std::optional<WaveTransfers>& shown, const TrafficConfig& levels,
            std::uint32_t nodes, Duration tick, Texts texts);

  /// It begins now, whenever it was generated; once for each destination.
  void begin(const TransferRecord& transfer);
  void arrive(const TransferRecord& transfer, Cycle now);
  void lose(const TransferRecord& transfer);

 private:
  WaveTriggerWatch* watch_ = nullptr;
  std::unique_ptr<TransferStreams> streams_;
};

}  // namespace weft

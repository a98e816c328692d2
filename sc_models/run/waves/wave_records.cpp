#include "run/waves/wave_records.h"

#include <utility>

namespace weft {

void WaveRecords::open(WaveTriggerWatch* watch, const std::optional<WaveTransfers>& shown, const TrafficConfig& levels,
                       std::uint32_t nodes, Duration tick, Texts texts) {
  watch_ = watch;
  if (watch_ != nullptr) watch_->begin(levels, tick, std::move(texts.found));
  if (!shown) return;
  streams_ = std::make_unique<TransferStreams>("", *shown, levels, nodes);
  streams_->name_by(std::move(texts.row));
}

void WaveRecords::begin(const TransferRecord& transfer) {
  if (streams_) streams_->on_generate(transfer);
}

void WaveRecords::arrive(const TransferRecord& transfer, Cycle now) {
  if (watch_ != nullptr) watch_->on_arrive(transfer, now);
  if (streams_) streams_->on_arrive(transfer, now);
}

void WaveRecords::lose(const TransferRecord& transfer) {
  if (streams_) streams_->on_lose(transfer, 0);
}

}  // namespace weft

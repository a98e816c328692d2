#pragma once
// Messages as transactions in a waveform (observe.waves.transfers): for each chosen node the messages that it sends,
// from their generation until the last destination has them, as rows of text ("#17 to 5 bulk 64 B").

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernel/record.h"
#include "run/waves/transaction_stream.h"
#include "workload/traffic_config.h"
#include "workload/wave_transfers.h"

namespace weft {

class TransferStreams final : public TransferObserver {
 public:
  /// Before the waveform is opened. `transfers` has been checked. `root`: in front of the names of the signals, with a
  /// point at its end.
  TransferStreams(const std::string& root, const WaveTransfers& transfers, const TrafficConfig& traffic,
                  std::uint32_t nodes);
  /// Text of a message and its destinations ("5 and 2 more"), instead of its number, level and size. Before time
  /// begins.
  using Text = std::function<std::string(const TransferRecord& transfer, const std::string& destinations)>;
  void name_by(Text text) { text_ = std::move(text); }

  void on_generate(const TransferRecord& transfer) override;
  void on_arrive(const TransferRecord& transfer, Cycle /*now*/) override { finish(transfer.id); }
  void on_lose(const TransferRecord& transfer, Cycle /*now*/) override { finish(transfer.id); }
  void on_withdraw(const TransferRecord& transfer) override { finish(transfer.id); }

 private:
  struct Open {
    std::size_t stream = 0;
    std::size_t row = 0;
    NodeId to = kNoId;          ///< the first destination
    std::uint32_t missing = 0;  ///< destinations
  };
  std::string text_of(const TransferRecord& transfer, std::uint32_t others) const;
  void finish(std::uint64_t id);

  static constexpr std::size_t kUnwatched = ~std::size_t{0};
  std::vector<std::string> names_;  // of services; empty: not shown
  Text text_;                       // none: as usual
  std::deque<TransactionStream> streams_;
  std::vector<std::size_t> stream_of_;  // by node
  std::unordered_map<std::uint64_t, Open> open_;
};

}  // namespace weft

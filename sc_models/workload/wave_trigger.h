#pragma once
// Times of a waveform (observe.waves): from a time to a time, or around a message of some kind or the failure of the
// run; the search for that message; and the messages that are shown as transactions (run/waves/transfer_streams.h).
//
// A message is known to be the one only when it arrives, and then the time before it is over. Runs repeat to the bit,
// so the time is searched by a run without waves, and the waves are written by a second one (run/triggered_run.h): they
// cost something in the time that they show, and a trigger of any depth needs no buffer.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "base/units.h"
#include "base/words.h"
#include "kernel/record.h"
#include "schema/schema.h"
#include "schema/schema_types.h"
#include "workload/traffic_config.h"
#include "workload/wave_transfers.h"

namespace weft {

enum class WaveEvent { message, failure };
template <>
inline constexpr auto kWords<WaveEvent> = words("message", "failure");

struct WaveTrigger {
  Location where;
  WaveEvent event = WaveEvent::message;
  // Of a message; what is not given fits any.
  Location level_at, source_at, destination_at;
  std::optional<std::string> level;  ///< name of its service
  std::optional<NodeId> source;
  std::optional<NodeId> destination;
  std::optional<Duration> latency;  ///< longer than this, from generation to delivery
  Duration not_before;              ///< of its generation
  std::uint64_t number = 1;         ///< of those that fit, in order of delivery, the first is 1
  // Around it.
  Duration before;  ///< its generation, or the failure
  Duration after;   ///< its delivery
};

/// Times of a waveform.
struct WaveTimes {
  Duration from;
  std::optional<Duration> until;       ///< nothing: the end of the run
  std::optional<WaveTrigger> trigger;  ///< instead of both
  std::optional<WaveTransfers> transfers;
};

struct RawWaveTrigger {
  Given<WaveEvent> event;
  Given<std::string> level;
  Given<std::uint32_t> source;
  Given<std::uint32_t> destination;
  Given<Duration> latency;
  Given<Duration> not_before;
  Given<std::uint64_t> number;
  Given<Duration> before;
  Given<Duration> after;
};

struct RawWaveTransfers {
  Given<std::vector<Placed<std::uint32_t>>> nodes;
  Given<std::vector<Placed<std::string>>> levels;
  Given<std::uint32_t> rows;
};

struct RawWaveTimes {
  Given<Duration> from;
  Given<Duration> until;
  Given<RawWaveTrigger> trigger;
  Given<RawWaveTransfers> transfers;
};

Section<RawWaveTrigger> wave_trigger_section();
Section<RawWaveTransfers> wave_transfers_section();

/// Declares the keys of the times in the section `waves` of a fabric.
template <class Raw>
void declare_wave_times(Section<Raw>& waves) {
  const auto own = []<class T>(Given<T> RawWaveTimes::*field) { return static_cast<Given<T> Raw::*>(field); };
  waves.key("from", own(&RawWaveTimes::from), duration_type(kNoTime, kLongestTime), by_default("0us"),
            "Start of the waves.");
  waves.key("until", own(&RawWaveTimes::until), duration_type(kShortestTime, kLongestTime), optional("end of the run"),
            "End of the waves, after from.");
  const Section<RawWaveTrigger> trigger = wave_trigger_section();
  waves.key("trigger", own(&RawWaveTimes::trigger), trigger.type(), optional("waves between from and until"),
            trigger.info()->meaning);
  const Section<RawWaveTransfers> transfers = wave_transfers_section();
  waves.key("transfers", own(&RawWaveTimes::transfers), transfers.type(), optional("none"), transfers.info()->meaning);
}

/// Reports what is wrong. `path`: of the section.
WaveTimes resolve_wave_times(const RawWaveTimes& raw, Diagnostics& diagnostics);

/// What only the network and its workload can tell. Throws InputError.
void check_wave_trigger(const WaveTrigger& trigger, const TrafficConfig& traffic, std::uint32_t nodes);

/// Looks for the message of a trigger. What it finds does not depend on the order of events within a tick.
class WaveTriggerWatch final : public TransferObserver {
 public:
  struct Found {
    TransferRecord transfer;
    Cycle arrived = 0;
  };

  explicit WaveTriggerWatch(const WaveTrigger& trigger) : trigger_(trigger) {}
  /// How texts name a transfer, with the times of its generation and delivery.
  using Text =
      std::function<std::string(const TransferRecord&, const std::string& generated, const std::string& delivered)>;
  /// Before the run: the services of the workload, and the length of a tick.
  void begin(const TrafficConfig& traffic, Duration tick, Text text = message_text);
  static std::string message_text(const TransferRecord& transfer, const std::string& generated,
                                  const std::string& delivered);
  void on_generate(const TransferRecord& transfer) override { pass(transfer.generated); }
  void on_arrive(const TransferRecord& transfer, Cycle now) override;
  /// The message is known.
  bool found() const { return found_.has_value(); }
  /// At the end of the run.
  const std::optional<Found>& result();
  Duration tick() const { return tick_; }
  /// The transfer that was found, as texts name it.
  std::string text(const Found& found) const;

 private:
  bool fits(const TransferRecord& transfer, Cycle now) const;
  // What has arrived in the ticks before this one is all there.
  void pass(Cycle now);

  const WaveTrigger trigger_;
  std::optional<ServiceId> service_;
  Duration tick_;
  Text text_ = message_text;
  Cycle not_before_ = 0;  // ticks
  std::uint64_t before_ = 0;
  std::vector<Found> now_;  // of the tick, those that fit
  std::optional<Found> found_;
};

}  // namespace weft

#pragma once
// History of one service level in bounded memory: its messages counted over periods of equal length.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "observe/steady_state.h"

namespace weft {

/// Messages of a level over periods of equal length, from a cycle on. There are at most 512 periods: when time goes on,
/// two become one. All but the sending count for the period in which a message was generated, so the order of the calls
/// within a cycle has no effect.
class LevelSeries {
 public:
  struct Period {
    std::uint64_t generated = 0;
    std::uint64_t sent = 0;  ///< left their NIC, whenever they were generated
    std::uint64_t arrived = 0;
    std::uint64_t lost = 0;
    std::int64_t latency = 0;  ///< sum over those that arrived
    Period& operator+=(const Period& other);
    template <class Archive>
    void serialize(Archive& archive) {
      archive(generated, sent, arrived, lost, latency);
    }
  };

  /// Forgets everything and begins with cycle `first`; what belongs to earlier cycles is not counted from now on.
  void start(Cycle first);
  void on_generate(Cycle generated) { ++at(generated).generated; }
  void on_send(Cycle sent) { ++at(sent).sent; }
  void on_arrive(Cycle generated, Cycle latency) {
    Period& p = at(generated);
    ++p.arrived;
    p.latency += latency;
  }
  void on_lose(Cycle generated) { ++at(generated).lost; }
  /// What another series has counted, of one that began in the same cycle.
  void add(const LevelSeries& other);

  Cycle first() const { return first_; }
  std::uint64_t generated() const;
  Cycle period() const { return Cycle{1} << shift_; }
  /// Latencies of the messages generated before cycle `end`, by period; only those before which everything that was
  /// generated has arrived or been lost, so that slow messages are not missing. The last period may be shorter.
  std::vector<Batch> latencies(Cycle end) const;
  /// The same without that condition.
  std::vector<Batch> all_latencies(Cycle end) const;
  /// Growth of the source queues in messages, by period; the count is the length of the period. A last period that is
  /// not over in cycle `end` is left out.
  std::vector<Batch> growth(Cycle end) const;
  template <class Archive>
  void serialize(Archive& archive) {
    archive(first_, shift_, covered_, before_, periods_);
  }

 private:
  static constexpr std::size_t kMost = 512;
  Period& at(Cycle cycle) {
    const auto since = static_cast<std::uint64_t>(cycle - first_);
    return since < covered_ ? periods_[since >> shift_] : grow(cycle);
  }
  Period& grow(Cycle cycle);
  void halve();
  std::size_t periods_before(Cycle end) const;

  Cycle first_ = 0;
  unsigned shift_ = 0;
  std::uint64_t covered_ = 0;  // cycles of the periods
  Period before_;              // cycles before the first
  std::vector<Period> periods_;
};

}  // namespace weft

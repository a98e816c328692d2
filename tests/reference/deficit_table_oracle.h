#pragma once
// The Deficit Table as the paper describes it (Cano-Cano et al., section 4), entry by entry: no masks, no early ends.
// Slow and obvious on purpose. Shares no code with the model; the table is data to it.

#include <cstdint>
#include <optional>
#include <vector>

namespace weft::oracle {

struct Entry {
  unsigned sl = 0;
  std::int64_t weight = 0;
};

/// What one SL shows the scheduler.
struct Queue {
  bool active = false;
  std::int64_t head = 0;  ///< credits of the head message
};

class DeficitTableOracle {
 public:
  /// `largest`: what the counters hold at the most.
  DeficitTableOracle(std::vector<Entry> table, unsigned levels, std::int64_t largest = INT64_MAX);

  /// One step: the SL that sends, if one does. `queues` has one element per SL.
  std::optional<unsigned> step(const std::vector<Queue>& queues);
  void write(std::size_t index, Entry entry) { table_.at(index) = entry; }

  std::int64_t deficit(unsigned sl) const { return deficit_.at(sl); }
  std::int64_t accumulated_weight() const { return accumulated_weight_; }
  std::int64_t credits_lost() const { return credits_lost_; }

 private:
  std::vector<Entry> table_;
  std::vector<std::int64_t> deficit_;
  std::int64_t largest_;
  std::int64_t accumulated_weight_ = 0;
  std::int64_t credits_lost_ = 0;
  std::size_t next_ = 0;              // where the walk goes on
  std::optional<unsigned> selected_;  // SL
};

}  // namespace weft::oracle

#pragma once
// Ranks: the processes that simulate one network together, each a part of it. They all do the same steps in the same
// order, so what one of them asks of the others here is asked by all of them in the same cycle.
//
// A rank that cannot go on tells the others, who wait for it somewhere: whatever they wait in throws RanksStopped. All
// of them then come to compare(), and from there on go the same way again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/units.h"
#include "parallel/byte_buffer.h"

namespace weft {

using RankId = std::uint32_t;

/// What this rank and another one tell each other at regular times.
struct RankChannel {
  ByteBuffer out;                 ///< for the other; empty again after an exchange
  std::span<const std::byte> in;  ///< from the other, until the next exchange
};

/// What a rank has told others so far, by count, and how long it has waited for them.
struct RankCounts {
  std::uint64_t channels = 0;   ///< ranks that it exchanges decisions with
  std::uint64_t exchanges = 0;  ///< with all of these, once per window
  std::uint64_t bytes = 0;      ///< that it has sent in them
  double waiting_s = 0;         ///< in them, for what others send
  std::uint64_t questions = 0;  ///< of all ranks: sums and texts
};

/// Another rank has stopped.
class RanksStopped : public std::exception {
 public:
  const char* what() const noexcept override { return "another rank has stopped"; }
};

class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual RankId rank() const = 0;
  virtual RankId size() const = 0;
  /// Before the first exchange, by both ranks alike. `usual`: bytes below which a message takes one transfer.
  virtual RankChannel& open_channel(RankId other, std::size_t usual) = 0;
  /// Sends `out` of every channel and waits for `in` of every one.
  virtual void exchange() = 0;
  /// The texts of all ranks, by rank.
  virtual std::vector<std::string> gather(const std::string& mine) = 0;
  /// Each number becomes its sum over all ranks, modulo 2^64.
  virtual void sum(std::span<std::uint64_t> numbers) = 0;
  std::uint64_t sum(std::uint64_t number) {
    sum(std::span(&number, 1));
    return number;
  }
  /// All ranks have agreed that nothing is under way between nodes, and that nobody sends anything before this cycle:
  /// they may leave out exchanges until then.
  void rest_until(Cycle cycle) { rests_until_ = cycle; }
  bool rest(Cycle now) const { return now < rests_until_; }
  /// This rank goes no further: the others are told.
  virtual void stop() = 0;
  /// Ends all of them at once, with this exit status.
  [[noreturn]] virtual void abort(int status) = 0;
  virtual RankCounts counted() const = 0;
  /// As gather(), and works after a stop too: to be called by all ranks once their time stands still.
  virtual std::vector<std::string> compare(const std::string& mine) = 0;

 private:
  Cycle rests_until_ = 0;
};

/// The next exchange of ranks that exchange once per window, the last time in cycle `now`. While they rest, all of them
/// ask each other when anything is left to happen, `next` on this rank, and leave out the windows before.
inline Cycle next_exchange(Ranks& ranks, Cycle now, Cycle window, Cycle next) {
  if (!ranks.rest(now)) return now + window;
  Cycle first = std::numeric_limits<Cycle>::max();
  for (const std::string& theirs : ranks.gather(std::to_string(next))) {
    first = std::min<Cycle>(first, std::stoll(theirs));
  }
  return std::max(now, first - 1) + window;
}

}  // namespace weft

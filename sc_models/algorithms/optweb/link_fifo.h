#pragma once
// Dual-clock FIFO of a serial-link IP (key: link.serial.fifo): on the transmit side words of the switch enter at the
// node's clock and leave at that of the IP, on the receive side the other way round.
//
// Rate. A place is written in a cycle of the writer; the write pointer, in Gray code, reaches the reader through a
// synchronizer of `stages` registers; the word is read within its time at the payload of the IP; the read pointer
// reaches the writer through `stages` registers, which may write the place again. So a place is taken for
//
//   round trip = (stages + 1) / node clock + stages / serial clock + word / payload
//
// and a FIFO of `depth` words passes depth / (round trip) words, at most the payload. Edges that come sooner than a
// whole cycle shorten the round trip: this is the rate that any phases of the two clocks give.
//
// Occupancy. Words that the writer counts, as the `wrusedw` of such a FIFO: those that have entered less those that it
// knows to have left. A word that leaves is known by `crossing` later, the round trip without its own time. The latency
// of the crossing towards the IP is part of `link.transmit`, that towards the node of `link.receive`.
//
// The lane, with its dropped words, gaps and notifications, is made behind the transmit FIFO: they take no places, and
// the FIFO fills while they hold words up. Source: Cummings, "Simulation and Synthesis Techniques for Asynchronous FIFO
// Design" (SNUG 2002), and the FIFO core guide of the same vendor as the IP; the paper says nothing of its depth
// (ours).

#include <algorithm>
#include <cstdint>

#include "algorithms/optweb/word_rate.h"
#include "base/units.h"

namespace weft::optweb {

struct LinkFifoShape {
  std::uint32_t depth = 0;   ///< words; 0: there is no such limit
  std::uint32_t stages = 2;  ///< registers of a synchronizer
};

/// Clocks at both sides of a FIFO, and what passes between them.
struct LinkFifoClocks {
  Frequency node;
  Frequency serial;
  std::int64_t word_bits = 0;
  Rate payload;  ///< of the IP
};

/// Rate that a FIFO passes, at most the payload; rounded down.
Rate fifo_rate(const LinkFifoShape& shape, const LinkFifoClocks& clocks);
/// Least depth that passes the payload.
std::uint64_t full_rate_depth(std::uint32_t stages, const LinkFifoClocks& clocks);

/// A FIFO between words at one pace, counted in units (WordUnits).
class LinkFifo {
 public:
  /// `pace`: of the link, which the FIFO passes.
  LinkFifo(const LinkFifoShape& shape, const WordUnits& units, const WordRate& pace, Frequency node, Frequency serial)
      : depth_(shape.depth),
        word_(units.word),
        crossing_(units.rate(pace) * (shape.stages + 1) + units.rate(pace) * shape.stages * node.hz / serial.hz) {}
  std::uint32_t depth() const { return depth_; }
  /// Places that are taken while words pass evenly at the pace of the link.
  std::uint64_t even() const {
    return std::min(static_cast<std::uint64_t>((word_ + crossing_ + word_ - 1) / word_), std::uint64_t{depth_});
  }

  // Of a run of words. `passed`: units on the lane so far, the dropped word among them.
  /// Units of words that may have entered by then.
  WideInteger limit(WideInteger passed) const { return std::max(passed, depth_ * word_ + known(passed)); }
  /// The lane has to be as far when so many units are to have entered; 0: they find room at once.
  WideInteger passed_for(WideInteger entered) const {
    if (entered <= depth_ * word_) return 0;
    return std::min(entered, entered - depth_ * word_ + word_ + crossing_);
  }
  /// Words that the writer counts when so many units have entered.
  std::uint64_t used(WideInteger entered, WideInteger passed) const {
    const WideInteger gone = std::min(known(passed), entered);
    return std::min(static_cast<std::uint64_t>(entered / word_ - gone / word_), std::uint64_t{depth_});
  }

 private:
  /// Units of words behind the dropped one of which the writer knows that they have left.
  WideInteger known(WideInteger passed) const { return std::max<WideInteger>(0, passed - word_ - crossing_); }

  std::uint32_t depth_;
  WideInteger word_;
  WideInteger crossing_;  // units that pass within the crossing
};

/// Words of a reader that enter the FIFOs of its links: at the pace of the memory while there is room in all of them,
/// then at that at which they leave.
class FifoFeed {
 public:
  /// `coupled`: they enter as they leave.
  FifoFeed(const LinkFifo& fifo, const WordUnits& units, std::uint64_t words, Cycle begun, const WordRate& pace,
           bool coupled)
      : fifo_(&fifo), all_(words * units.word), since_(begun), rate_(units.rate(pace)), coupled_(coupled) {}
  bool coupled() const { return coupled_; }
  /// Units that have entered by boundary `at`, which is not before the last turn. `least`: that have passed on the lane
  /// which is behind all others.
  WideInteger entered(Cycle at, WideInteger least) const {
    if (coupled_) return std::min(all_, least);
    return std::min({all_, entered_ + (at - since_) * rate_, fifo_->limit(least)});
  }
  /// The memory offers them at another pace from now on.
  void turn(Cycle now, WideInteger least, WideInteger rate) {
    entered_ = entered(now, least);
    since_ = now;
    rate_ = rate;
  }
  WideInteger rate() const { return rate_; }
  WideInteger all() const { return all_; }
  /// Boundary at which the memory has offered all of them.
  Cycle offered() const {
    return since_ + (rate_ == 0 ? 0 : static_cast<Cycle>((all_ - entered_ + rate_ - 1) / rate_));
  }

 private:
  const LinkFifo* fifo_;
  WideInteger all_;
  WideInteger entered_ = 0;  // at since_
  Cycle since_;
  WideInteger rate_;
  bool coupled_;
};

}  // namespace weft::optweb

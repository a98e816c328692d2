#pragma once
// Lane of a link in the time of the network: the transmitter of one end is stepped in the word cycles of the sender,
// the receiver of the other end in the cycles in which they arrive there. The middle of a run, in which nothing changes
// but words, and a lane at rest are left out.
//
// Word cycles. Of a run that begins at boundary b, word cycle i is at the boundary at which i words have passed: at
// b + ceil(i * pace), later by the cuts before it. Word i (from 0) is taken in word cycle i and is on the lane in word
// cycle i + 2. A notification that cuts the run from boundary c on waits from c; word cycle j of the cut is at
// c + ceil(j * pace of the link). Word cycles of a rest are counted alike from the end of the run, or of the cycle that
// a notification takes. So pins are a word cycle behind `LinkIp::lane()`, at both ends: registers of the block, which
// are part of `link.transmit` and `link.receive`.
//
// The blocks decide what is taken and received when. What the timing of the link (LinkIp) says of the same events is
// compared with it, in every run: words and notifications are taken in the cycles in which the link counts them, and
// arrive at the other end, all of them and in order, in the cycles that its switch has been told. A difference ends the
// run.
//
// A model is deterministic. Where it has been at rest, stepped through a run that nothing cut, and come to rest again,
// it does the same with the next one: such runs pass as a whole, and so do notifications at rest. Their first and last
// words are compared with the timing of the link all the same. Every lane steps its first run and its first
// notification, and all that are cut or turn, are short, or are counted in a time of their own.
//
// An end has the block twice: the two lanes of a link have word cycles of their own, and the two sides of a block share
// no register.

#include <cstdint>
#include <memory>

#include "algorithms/optweb/faults/link_timeline.h"
#include "algorithms/optweb/lane.h"
#include "fabrics/optweb/link/word_run.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/small_queue.h"
#include "kernel/clock_domain.h"

namespace weft {

/// The way to the other end.
class LaneCarrier {
 public:
  virtual ~LaneCarrier() = default;
  /// A word cycle at the sender's cycle `at`, behind so many that are left out.
  virtual void carry(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out) = 0;
  /// A whole run on a lane at rest, its first and last words in these cycles of the sender.
  virtual void carry_run(std::uint64_t words, Cycle first, Cycle last) = 0;
  /// A notification on a lane at rest, in cycle `at` of the sender.
  virtual void carry_note(Cycle at) = 0;
};

class LaneSender final : public Agent {
 public:
  /// `run`: of the link, and its state is the present one whenever it is looked at. All must outlive the sender.
  LaneSender(const OptwebParameters& parameters, NodeClock& clock, const WordRun& run, LaneCarrier& carrier,
             const char* name, std::unique_ptr<optweb::LinkSyncIf> block);

  /// Word cycles of runs need no events: they are stepped later, by catch_up(), with the same cycle numbers. Only where
  /// nobody sees pins and nothing is in the way to the other end. Before time begins.
  void defer() { deferred_ = plain_; }
  /// What has been deferred, before `now`; before another run begins, or the pace changes.
  void catch_up(Cycle now);

  /// A run of so many words has begun, now. `time`: in which its cycles are counted; null: none but that of the clock.
  void begin(std::uint64_t words, const optweb::StreamTime* time = nullptr);
  /// A notification is taken in cycle `at`, in which the lane rests.
  void note(Cycle at);
  /// A notification cuts the run from `at` on, in its time, for so many cycles. To be called when the run knows of it.
  void cut(Cycle at, Cycle pause);
  /// Before words of the run go on at another pace, and after it.
  void before_turn(Cycle now);
  void after_turn() { plan(); }
  void due(Cycle, std::uint32_t) override;

 private:
  struct Cut {
    Cycle at = 0;
    Cycle pause = 0;
  };
  Cycle passed(std::uint64_t words) const;
  Cycle real(Cycle run) const { return time_ == nullptr ? run : time_->real(run); }
  bool skips() const;
  bool passes_whole() const;
  void settle(Cycle at);
  Cycle next() const;
  void plan();
  void step(Cycle now);
  [[noreturn]] void differs(Cycle now, const char* expected, const optweb::LaneTransmitter::Result& result) const;

  const OptwebParameters& parameters_;
  NodeClock& clock_;
  const WordRun& run_;
  LaneCarrier& carrier_;
  const char* name_;
  std::unique_ptr<optweb::LinkSyncIf> block_;
  optweb::LaneTransmitter transmitter_;
  bool plain_;  // all blocks of the network are models
  bool deferred_ = false;
  std::uint64_t run_up_;
  Cycle due_ = -1;                            // the next word cycle that is stepped; -1: none
  bool running_ = false;                      // a run, to the word cycle in which its last word is on the lane
  const optweb::StreamTime* time_ = nullptr;  // of the run
  std::uint64_t words_ = 0;                   // of the run
  std::uint64_t index_ = 0;                   // word cycles of the run that are over, without those of cuts
  std::uint64_t calm_from_ = 0;               // the same at the end of the last cut
  std::uint64_t left_out_ = 0;                // word cycles, which the other end has not been told
  SmallQueue<Cut> cuts_;                      // of the run, in its time, not over
  bool cutting_ = false;                      // the first of them has begun
  std::uint64_t cut_index_ = 0;               // word cycles of it that are over
  Cycle rest_from_ = 0;                       // end of the last run, or of the cycle of a notification
  std::uint64_t rest_index_ = 0;
  std::uint64_t rests_ = 0;     // word cycles of the rest that are stepped
  SmallQueue<Cycle, 1> notes_;  // to be taken at rest
  bool run_known_ = false;      // models have been stepped through one that was long and not cut
  bool note_known_ = false;     // and through a notification at rest
};

class LaneListener final : public Agent {
 public:
  LaneListener(NodeClock& clock, const char* name, std::unique_ptr<optweb::LinkSyncIf> block);

  // By the timing of the link, in cycles of this end.

  /// A run begins whose first and last words are here at these boundaries.
  void expect_run(std::uint64_t words, Cycle first, Cycle last);
  /// Of the run that began last: it has been cut, and its last word is here at another boundary.
  void expect_later(Cycle last);
  /// Its words come at another pace.
  void expect_turn(Cycle first, Cycle last);
  /// A notification is on the lane in cycle `at`.
  void expect_note(Cycle at) { notes_.push_back(at); }

  /// The lane carries this in cycle `at`, behind so many word cycles that are left out.
  void hear(Cycle at, const optweb::LaneSymbol& symbol, std::uint64_t left_out);
  /// A whole run, on a lane at rest, whose first and last words it carries in these cycles.
  void hear_run(std::uint64_t words, Cycle first, Cycle last);
  /// A notification in cycle `at`, on a lane at rest.
  void hear_note(Cycle at) { notified(at); }
  /// Throws RunError when something that the link has counted has not been received, though no word cycle is to come.
  void check_over() const;

  void due(Cycle, std::uint32_t) override;

 private:
  struct Heard {
    Cycle at = 0;
    optweb::LaneSymbol symbol;
    std::uint64_t left_out = 0;
  };
  struct Run {
    std::uint64_t words = 0;
    std::uint64_t received = 0;  // those left out among them
    std::uint64_t upto = 0;      // number of its last word
    Cycle first = 0;
    Cycle last = 0;
    bool cut = false;
  };
  void step(const Heard& heard);
  void word(std::uint64_t number, Cycle at);
  void notified(Cycle at);

  NodeClock& clock_;
  const char* name_;
  std::unique_ptr<optweb::LinkSyncIf> block_;
  optweb::LaneReceiver receiver_;
  bool at_once_;                // a model, which has no pins: it is stepped when its word cycle is known
  SmallQueue<Heard> heard_;     // not stepped yet
  SmallQueue<Run, 1> runs_;     // expected
  SmallQueue<Cycle, 1> notes_;  // expected
  std::uint64_t words_ = 0;     // of all runs so far
  std::uint64_t last_ = 0;      // number of the last word received
  Cycle before_ = -1;           // cycle of the word cycle before
  Cycle before_that_ = -1;
};

}  // namespace weft

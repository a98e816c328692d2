#pragma once
// Timeline of a link that fails and makes bit errors: when its lane stands still, and when what was sent arrives.
// (ours: the paper has neither.)
//
// Frames follow each other on the wire without a pause, whether they carry words or rest, `frame` words each, with a
// check sum. The sending IP keeps what it has sent until it is confirmed, and goes back to the first frame that has not
// arrived (go-back-n):
//   outage      from `down` on nothing arrives. From `up` on the IP repeats, beginning with the frame that was
//   arriving. bit error   of a frame that leaves the wire at e: the other end drops it and all that follow, and
//   answers; the
//               answer is there at e + turnaround + wire, and the IP goes back. The first word of the frame is at the
//               other end another `wire` later.
// While the IP repeats, and while the link is down, it takes no words: the lane has no word cycles, as between words of
// a slow memory, so no run ends. Every word passes the link in order and once; what a failure costs is time.
//
// Times. A *position* of the lane counts the cycles in which it did not stand still. What is at position p on the lane
// leaves the wire at p + transmit + wire + (delays of all repeats that begin before p). A repeat that begins at
// position b and delays by d stops the lane for d cycles, from the moment in which the IP knows of it. So both ends
// follow from the outages and a random stream alone, not from what is sent; both lists are made as far as somebody
// asks.
//
// Closed form: a bad frame costs d = frame + turnaround + 2 * wire, so of frames that are bad with probability q the
// part (1 - q) / (1 - q + q * d / frame) of the rate is left, as of any go-back-n protocol.

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "algorithms/optweb/word_rate.h"
#include "base/random.h"
#include "base/units.h"

namespace weft::optweb {

/// A time that does not come; smaller than any sum that overflows.
inline constexpr Cycle kNever = Cycle{1} << 50;

/// From `down` on, before `up`, nothing arrives.
struct Outage {
  Cycle down = 0;
  Cycle up = kNever;
  std::uint32_t fault = 0;  ///< number of the failure in the configuration
};

struct LinkTiming {
  Cycle transmit = 0;        ///< from the lane to the wire
  Cycle wire = 0;            ///< IPs of both ends, fibre, adapter
  Cycle turnaround = 0;      ///< from a bad frame to its answer, both ends together
  std::uint64_t frame = 64;  ///< words
  WordRate rate;             ///< of words on the wire
  double frame_errors = 0;   ///< probability that a frame is bad
};

/// Frames on a link of a bit error rate, and what a go-back-n protocol makes of it.
double frame_error_probability(double bit_error_rate, std::uint64_t bits);
/// Part of the rate of a link that is left, in the long run.
double goodput_share(const LinkTiming& timing);

class LinkTimeline {
 public:
  /// `outages`: in order, disjoint. `errors`: draws the bad frames.
  LinkTimeline(const LinkTiming& timing, std::vector<Outage> outages, RandomStream errors);

  /// The lane stands still between two boundaries.
  struct Stop {
    Cycle begin = 0;
    Cycle end = 0;
  };
  /// The first one that is not over at boundary `at`.
  std::optional<Stop> stop_after(Cycle at);
  /// First boundary from `at` on behind which the lane does not stand still for so many cycles.
  Cycle open(Cycle at, Cycle cycles);
  /// What is on the lane at boundary `sent` arrives as if it were there at the one returned, and nothing had failed.
  Cycle delivered(Cycle sent);
  /// Position of the lane.
  Cycle position(Cycle at);

  /// Words between two positions pass once more, behind a failure.
  struct Repeat {
    Cycle begin = 0;                     ///< position
    Cycle end = 0;                       ///< the sender had come so far
    Cycle delay = 0;                     ///< kNever: the link does not come back
    Cycle before = 0;                    ///< delays of all repeats before this one
    Cycle known = 0;                     ///< when the sender knows of it
    std::optional<std::uint32_t> fault;  ///< none: a bit error
  };
  /// Those of which the sender knows before `time`, and perhaps some more.
  const std::vector<Repeat>& repeats(Cycle time);

  const std::vector<Outage>& outages() const { return outages_; }
  /// The outage that holds it down.
  const Outage* down(Cycle at) const;
  /// Cycles of outages before `end`.
  Cycle down_time(Cycle end) const;

 private:
  struct Window {
    Cycle begin = 0;
    Cycle end = 0;
    Cycle position = 0;
  };
  void draw();
  void plan();
  void commit();
  Cycle place(Cycle at) const;

  LinkTiming timing_;
  std::vector<Outage> outages_;
  RandomStream errors_;
  double mean_gap_ = 0;     // of bad frames, in frames; 0: none is bad
  std::uint64_t gap_ = 0;   // good frames before the next bad one
  std::size_t outage_ = 0;  // the next one
  Cycle last_ = 0;          // position of the last repeat; frames are counted from there
  Cycle total_ = 0;         // all delays
  std::optional<Repeat> next_;
  std::vector<Repeat> repeats_;
  std::vector<Window> windows_;
};

/// The same stops in order, those that touch as one.
std::vector<LinkTimeline::Stop> joined(std::vector<LinkTimeline::Stop> stops);
/// Cycles between two boundaries that are in none of them.
Cycle cycles_between(Cycle from, Cycle to, const std::vector<LinkTimeline::Stop>& joined_stops);

/// Time of a stream of words over several links, all of which get each word in the same cycle: it stands still while
/// the lane of any of them does.
class StreamTime {
 public:
  /// A stream that begins at boundary `begin`. The timelines must outlive it.
  StreamTime(std::vector<LinkTimeline*> links, Cycle begin) : links_(std::move(links)), begin_(begin) {}

  const std::vector<LinkTimeline*>& links() const { return links_; }
  Cycle begin() const { return begin_; }
  /// Boundary at which a stream that never stands still would be at `run`; kNever: it does not get there.
  Cycle real(Cycle run) const;
  /// The other way round.
  Cycle run(Cycle real) const;
  /// Stops that begin before a boundary.
  std::vector<LinkTimeline::Stop> stops(Cycle before) const;

 private:
  struct Mark {
    LinkTimeline::Stop stop;
    Cycle run = 0;  // where it stands still
  };
  /// Knows of all stops that begin before a boundary, or before one of the run.
  template <class Reached>
  void look(Reached reached) const;

  std::vector<LinkTimeline*> links_;
  Cycle begin_;
  mutable std::vector<Mark> marks_;
  mutable bool over_ = false;  // no more stops
};

}  // namespace weft::optweb

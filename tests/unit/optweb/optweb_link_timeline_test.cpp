// Timeline of a link that fails and makes bit errors, against a sender and a receiver that pass the words of a link one
// by one, and against the closed form of go-back-n.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "algorithms/optweb/faults/link_timeline.h"

namespace weft::optweb {
namespace {

// A word per cycle.
LinkTiming timing_of(std::uint64_t frame, Cycle transmit, Cycle wire, Cycle turnaround) {
  LinkTiming t;
  t.frame = frame;
  t.transmit = transmit;
  t.wire = wire;
  t.turnaround = turnaround;
  return t;
}

RandomStream stream(std::uint64_t seed = 1) { return {seed, "test"}; }

// Both ends of a link, word by word. Word n passes the lane in the n-th cycle in which that moves; between lane and
// wire is a FIFO of `transmit` places. The sender goes back to the first frame that is not complete when the link comes
// up, or when a complaint is there.
class Wire {
 public:
  /// `bad`: first words of frames that are bad, as often as they are in it.
  Wire(const LinkTiming& timing, std::vector<Outage> outages, std::multiset<Cycle> bad)
      : t_(timing), outages_(std::move(outages)), bad_(std::move(bad)) {}

  void run(Cycle cycles) {
    bool was_down = false;
    Cycle complaint = kNever;
    for (Cycle now = 1; now <= cycles; ++now) {
      const bool down = is_down(now);
      if (down) {
        on_wire_.clear();
        complaint = kNever;
      } else if (was_down || complaint < now) {
        next_ = frame_of(wanted_);
        wanted_ = next_;
        complaint = kNever;
        dropping_ = false;
      }
      was_down = down;
      if (down) continue;
      const bool room = lane_ - next_ + 1 <= t_.transmit;
      const auto word = taken_.find(next_);
      if (word != taken_.end() && word->second + t_.transmit <= now) on_wire_.push_back({now + t_.wire, next_++});
      if (room) {
        taken_[++lane_] = now;
        if (t_.transmit == 0) on_wire_.push_back({now + t_.wire, next_++});
      }
      while (!on_wire_.empty() && on_wire_.front().first <= now) {
        const Cycle arrived = on_wire_.front().second;
        on_wire_.pop_front();
        if (dropping_ || arrived != wanted_) continue;
        arrived_[wanted_++] = now;
        const Cycle first = frame_of(arrived);
        const auto found = bad_.find(first);
        if (arrived + 1 != first + static_cast<Cycle>(t_.frame) || found == bad_.end()) continue;
        bad_.erase(found);
        wanted_ = first;
        dropping_ = true;
        complaint = now + t_.turnaround + t_.wire;
      }
    }
  }
  const std::map<Cycle, Cycle>& taken() const { return taken_; }
  /// When a word, in a frame that is complete, has left the wire.
  std::map<Cycle, Cycle> arrived() const { return {arrived_.begin(), arrived_.lower_bound(frame_of(wanted_))}; }

 private:
  Cycle frame_of(Cycle word) const { return (word - 1) / frame() * frame() + 1; }
  Cycle frame() const { return static_cast<Cycle>(t_.frame); }
  bool is_down(Cycle at) const {
    return std::any_of(outages_.begin(), outages_.end(), [&](const Outage& o) { return o.down < at && at <= o.up; });
  }

  LinkTiming t_;
  std::vector<Outage> outages_;
  std::multiset<Cycle> bad_;
  std::map<Cycle, Cycle> taken_, arrived_;
  std::deque<std::pair<Cycle, Cycle>> on_wire_;  // leaves at, word
  Cycle lane_ = 0;
  Cycle next_ = 1;
  Cycle wanted_ = 1;
  bool dropping_ = false;
};

void expect_as_word_by_word(const LinkTiming& t, const std::vector<Outage>& outages, Cycle cycles,
                            std::uint64_t seed = 1) {
  LinkTimeline timeline(t, outages, stream(seed));
  std::multiset<Cycle> bad;
  for (const LinkTimeline::Repeat& r : timeline.repeats(cycles + 10'000)) {
    if (!r.fault) bad.insert(r.begin + 1);
  }
  Wire wire(t, outages, bad);
  wire.run(cycles);
  for (const auto& [word, at] : wire.taken()) {
    ASSERT_EQ(timeline.position(at), word) << "the lane moves in cycle " << at;
    ASSERT_EQ(timeline.position(at - 1), word - 1) << at;
  }
  const auto arrived = wire.arrived();
  for (const auto& [word, at] : arrived) {
    ASSERT_EQ(timeline.delivered(wire.taken().at(word)) + t.transmit + t.wire, at) << "word " << word;
  }
  EXPECT_GT(arrived.size(), static_cast<std::size_t>(cycles) / 10);
}

TEST(OptwebLinkTimeline, WithoutFailuresNothingChanges) {
  LinkTimeline t(timing_of(8, 3, 20, 5), {}, stream());
  for (const Cycle at : {0, 1, 77, 100'000}) {
    EXPECT_EQ(t.delivered(at), at);
    EXPECT_EQ(t.open(at, 5), at);
    EXPECT_EQ(t.position(at), at);
  }
  EXPECT_FALSE(t.stop_after(0));
}

// Words of one cycle, frames of one word: all that is on the wire at `down` is sent again from `up` on.
TEST(OptwebLinkTimeline, AnOutageRepeatsWhatWasOnTheWire) {
  const LinkTiming timing = timing_of(1, 3, 20, 5);
  LinkTimeline t(timing, {{100, 150, 7}}, stream());
  EXPECT_EQ(t.delivered(77), 77) << "leaves the wire at 100";
  // The next one is at the far end 20 + 1 cycles behind `up`, instead of at 101.
  EXPECT_EQ(t.delivered(78) + 3 + 20, 150 + 20 + 1);
  EXPECT_EQ(t.delivered(100) + 3 + 20, 150 + 20 + 23);
  const auto stop = t.stop_after(0);
  ASSERT_TRUE(stop);
  EXPECT_EQ(stop->begin, 100);
  EXPECT_EQ(stop->end, 100 + 50 + 20) << "down, and as long as the wire for what is sent again";
  EXPECT_EQ(t.delivered(171), 171);
  EXPECT_EQ(t.open(99, 1), 99);
  EXPECT_EQ(t.open(99, 2), 170);
  EXPECT_EQ(t.open(100, 0), 170);
  ASSERT_EQ(t.repeats(1000).size(), 1U);
  EXPECT_EQ(t.repeats(1000)[0].begin, 77);
  EXPECT_EQ(t.repeats(1000)[0].end, 97) << "what has entered the wire";
  EXPECT_EQ(t.repeats(1000)[0].fault, 7U);
  EXPECT_EQ(t.down_time(1000), 50);
  EXPECT_EQ(t.down_time(120), 20);
}

TEST(OptwebLinkTimeline, OutagesAsWordsPassOneByOne) {
  for (const std::uint64_t frame : {1U, 4U, 7U}) {
    for (const Cycle up : {103, 150, 400}) {
      SCOPED_TRACE(testing::Message() << frame << " " << up);
      expect_as_word_by_word(timing_of(frame, 3, 20, 5), {{100, up, 0}}, 1000);
      expect_as_word_by_word(timing_of(frame, 0, 11, 5),
                             {{60, 61, 0}, {100, up, 1}, {up + 7, up + 9, 2}, {600, 700, 3}}, 1500);
    }
  }
}

TEST(OptwebLinkTimeline, BadFramesAsWordsPassOneByOne) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    LinkTiming timing = timing_of(1 + seed % 9, static_cast<Cycle>(seed % 5), 10 + static_cast<Cycle>(seed), 3);
    timing.frame_errors = 0.05;
    expect_as_word_by_word(timing, {}, 5000, seed);
  }
}

TEST(OptwebLinkTimeline, ALinkThatDoesNotComeBackLosesTheRest) {
  LinkTimeline t(timing_of(1, 3, 20, 5), {{100, kNever, 0}}, stream());
  EXPECT_EQ(t.delivered(77), 77);
  EXPECT_GE(t.delivered(78), kNever);
  EXPECT_GE(t.delivered(5000), kNever);
  EXPECT_GE(t.open(100, 0), kNever);
  const StreamTime time({&t}, 10);
  EXPECT_EQ(time.real(100), 100);
  EXPECT_GE(time.real(101), kNever);
}

// Each bad frame costs its own time, the turnaround, and twice the wire.
TEST(OptwebLinkTimeline, BadFramesCostTheirClosedForm) {
  LinkTiming timing = timing_of(16, 5, 40, 10);
  timing.frame_errors = 0.02;
  LinkTimeline t(timing, {}, stream(5));
  constexpr Cycle kEnd = 4'000'000;
  const Cycle moved = t.position(kEnd);
  std::size_t bad = 0;
  Cycle lost = 0;
  for (const LinkTimeline::Repeat& r : t.repeats(kEnd)) {
    if (r.known >= kEnd) continue;
    EXPECT_EQ(r.delay, 16 + 10 + 2 * 40);
    EXPECT_EQ(r.begin % 16, 0);
    ++bad;
    lost += r.delay;
  }
  EXPECT_NEAR(static_cast<double>(moved), static_cast<double>(kEnd - lost), 300);
  // Of the frames that have got through, and the bad ones, 2 % are bad.
  const double frames = static_cast<double>(moved) / 16;
  EXPECT_NEAR(static_cast<double>(bad) / (frames + static_cast<double>(bad)), 0.02, 0.001);
  EXPECT_NEAR(static_cast<double>(moved) / kEnd, goodput_share(timing), 0.005);
  EXPECT_NEAR(goodput_share(timing), 0.98 / (0.98 + 0.02 * 106 / 16.0), 1e-12);
}

// Order, and no word lost or doubled: what is sent later arrives later, by at least as much as it is later on a lane
// that does not stand still.
TEST(OptwebLinkTimeline, WordsStayInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LinkTiming timing = timing_of(4, 5, 17, 3);
    timing.frame_errors = 0.1;
    timing.rate = {256, 225};
    LinkTimeline t(timing, {{300, 420, 0}, {900, 901, 1}, {1500, 1800, 2}}, stream(seed));
    Cycle before = 0;
    Cycle place = 0;
    for (Cycle at = 1; at < 5000; ++at) {
      const Cycle delivered = t.delivered(at);
      const Cycle position = t.position(at);
      EXPECT_GE(delivered, at);
      EXPECT_GE(delivered - before, position - place);
      EXPECT_TRUE(position == place || position == place + 1);
      if (position == place) {
        EXPECT_EQ(delivered, before) << "the lane stands still";
      }
      before = delivered;
      place = position;
    }
  }
}

TEST(OptwebLinkTimeline, AStreamStandsStillWithEachOfItsLinks) {
  LinkTimeline a(timing_of(1, 0, 10, 0), {{100, 150, 0}, {400, 410, 1}}, stream());
  LinkTimeline b(timing_of(1, 0, 10, 0), {{120, 200, 0}, {300, 310, 1}}, stream());
  const StreamTime time({&a, &b}, 50);
  // a: [100, 160), [400, 420); b: [120, 210), [300, 320)
  const std::vector<std::pair<Cycle, Cycle>> pairs = {{50, 50},   {100, 100}, {101, 211}, {190, 300},
                                                      {191, 321}, {270, 400}, {271, 421}, {600, 750}};
  for (const auto& [run, real] : pairs) {
    EXPECT_EQ(time.real(run), real) << run;
    EXPECT_EQ(time.run(real), run) << real;
  }
  EXPECT_EQ(time.run(130), 100);
  EXPECT_EQ(time.run(305), 190);
  const StreamTime later({&a, &b}, 210);
  EXPECT_EQ(later.real(300), 300) << "what was before does not count";
  EXPECT_EQ(later.real(301), 321);
}

TEST(OptwebLinkTimeline, FrameErrorsFollowFromBits) {
  EXPECT_NEAR(frame_error_probability(1e-12, 16384), 1.6384e-8, 1e-14);
  EXPECT_NEAR(frame_error_probability(0.001, 1000), 1 - std::pow(0.999, 1000), 1e-12);
}

}  // namespace
}  // namespace weft::optweb

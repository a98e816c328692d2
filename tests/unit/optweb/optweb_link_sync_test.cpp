// The data-active lane: what runs mean, their rests, timing, turns, and cycles that may be left out.

#include "algorithms/optweb/link_sync.h"

#include <deque>
#include <stdexcept>

#include "support/optweb_bench.h"

namespace weft::test {
namespace {

using optweb::LinkSync;
using optweb::LinkSyncInputs;
using optweb::LinkSyncOutputs;

// Lanes as a picture: '_' rest, 'x' active without a word, 'w' active with a word.
char lane(const LinkSyncOutputs& out) { return !out.link_active ? '_' : out.link_word != 0 ? 'w' : 'x'; }

/// The lane for a scripted sender: 'n' a notification waits, 'd' a word, 'b' both, '.' nothing.
std::string lane_for(std::uint32_t gap, const std::string& script) {
  LinkSync sync(gap);
  std::string seen;
  std::uint64_t word = 0;
  for (const char c : script) {
    LinkSyncInputs in;
    in.notify = c == 'n' || c == 'b';
    in.valid = c == 'd' || c == 'b';
    in.word = ++word;
    seen += lane(sync.step(in));
  }
  return seen;
}

// Figure 1b of the paper: one active cycle is a notification, of a longer run the first cycle carries no word.
TEST(LinkSync, RunsOfFigure1b) {
  EXPECT_EQ(lane_for(1, "n......"), "_x_____");
  EXPECT_EQ(lane_for(1, "d......"), "_xw____");  // two cycles even for one word
  EXPECT_EQ(lane_for(1, "dddd..."), "_xwwww_");
}

TEST(LinkSync, RunsAreApart) {
  EXPECT_EQ(lane_for(1, "nnnnnnn"), "_x_x_x_");
  EXPECT_EQ(lane_for(3, "nnnnnnnnnn"), "_x___x___x");
  EXPECT_EQ(lane_for(1, "n.ddd..."), "_x_xwww_");
  EXPECT_EQ(lane_for(1, "nddd...."), "_x_xww__");    // the first of the three is not taken: the lane must rest
  EXPECT_EQ(lane_for(1, "dd.dd...."), "_xww_xw__");  // the first word of the second run is not taken at once
  EXPECT_EQ(lane_for(1, "dd..dd..."), "_xww_xww_");
}

TEST(LinkSync, NotificationsAndDataTakeTurns) {
  EXPECT_EQ(lane_for(1, "bbbbbbbbbbbbb"), "_x_xw_x_xw_x_");
  // A notification breaks a run of data behind the word in hand; the data go on after it.
  EXPECT_EQ(lane_for(1, "dddbbb.dddd..."), "_xwww_x_xwwww_");
}

TEST(LinkSync, RefusesAGapOutsideItsRange) {
  EXPECT_THROW(LinkSync(0), std::invalid_argument);
  EXPECT_THROW(LinkSync(16), std::invalid_argument);
}

// n words offered from cycle t to a rested lane, received behind a link of `delay` cycles: the formula of the header.
TEST(LinkSync, TimingOfAnUndisturbedTransfer) {
  for (const std::uint64_t words : {1U, 2U, 3U, 50U}) {
    for (const std::uint64_t delay : {0U, 1U, 7U}) {
      LinkSync sender;
      LinkSync receiver;
      std::deque<LinkSyncOutputs> link(delay);
      std::uint64_t taken = 0;
      std::vector<std::uint64_t> received;
      constexpr std::uint64_t kBegin = 5;
      for (std::uint64_t cycle = 0; cycle < kBegin + words + delay + 10; ++cycle) {
        LinkSyncInputs in;
        in.valid = cycle >= kBegin && taken < words;
        in.word = 100 + taken;
        const LinkSyncOutputs out = sender.step(in);
        link.push_back(out);
        if (in.valid) {
          ASSERT_TRUE(out.ready) << "words do not wait";
          ++taken;
        }
        LinkSyncInputs arriving;
        arriving.link_active = link.front().link_active;
        arriving.link_word = link.front().link_word;
        link.pop_front();
        const LinkSyncOutputs arrived = receiver.step(arriving);
        EXPECT_FALSE(arrived.notified);
        if (!arrived.received) continue;
        EXPECT_EQ(cycle, kBegin + received.size() + 3 + delay);
        received.push_back(arrived.received_word);
      }
      ASSERT_EQ(received.size(), words);
      for (std::uint64_t i = 0; i < words; ++i) EXPECT_EQ(received[i], 100 + i);
    }
  }
}

// Anything, over a link: what is received is what was taken, in order, delay + 3 cycles later; and so says a decoder
// that knows the lane only.
TEST(LinkSync, NothingLostDoubledOrConfused) {
  std::uint64_t words = 0;
  std::uint64_t notifications = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "link");
    const auto gap = static_cast<std::uint32_t>(1 + random.below(4));
    const std::uint64_t delay = random.below(6);
    LinkSync sender(gap);
    LinkSync receiver(gap);
    LinkStimulus stimulus(random);
    std::deque<LinkSyncOutputs> link(delay);
    struct Thing {
      std::uint64_t at;
      bool notification;
      std::uint64_t word;
      bool operator==(const Thing&) const = default;
    };
    std::vector<Thing> sent;
    std::vector<Thing> received;
    std::string picture;
    std::vector<std::uint64_t> on_lane;
    for (std::uint64_t cycle = 0; cycle < 1000; ++cycle) {
      LinkSyncInputs in = stimulus.next();
      in.link_active = false;
      if (cycle >= 980) in.notify = in.valid = false;
      const LinkSyncOutputs out = sender.step(in);
      ASSERT_FALSE(in.notify && in.valid && out.ready && out.notify_ready);
      if (in.notify && out.notify_ready) sent.push_back({cycle, true, 0});
      if (in.valid && out.ready) sent.push_back({cycle, false, in.word});
      picture += out.link_active ? 'x' : '_';
      on_lane.push_back(out.link_word);
      link.push_back(out);
      LinkSyncInputs arriving;
      arriving.link_active = link.front().link_active;
      arriving.link_word = link.front().link_word;
      link.pop_front();
      const LinkSyncOutputs arrived = receiver.step(arriving);
      ASSERT_FALSE(arrived.notified && arrived.received);
      if (arrived.notified) received.push_back({cycle - delay - 3, true, 0});
      if (arrived.received) received.push_back({cycle - delay - 3, false, arrived.received_word});
    }
    ASSERT_EQ(sent, received) << "seed " << seed;
    std::vector<std::uint64_t> decoded;
    std::size_t runs_of_one = 0;
    for (std::size_t i = 0; i < picture.size();) {
      if (picture[i] == '_') {
        ++i;
        continue;
      }
      const std::size_t end = std::min(picture.find('_', i), picture.size());
      if (i >= gap) {
        EXPECT_EQ(picture.substr(i - gap, gap), std::string(gap, '_')) << "seed " << seed;
      }
      if (end - i == 1) ++runs_of_one;
      for (std::size_t k = i + 1; k < end; ++k) decoded.push_back(on_lane[k]);
      i = end;
    }
    std::vector<std::uint64_t> expected;
    for (const Thing& t : sent) {
      if (!t.notification) expected.push_back(t.word);
    }
    EXPECT_EQ(decoded, expected);
    EXPECT_EQ(runs_of_one, sent.size() - expected.size());
    words += expected.size();
    notifications += runs_of_one;
  }
  EXPECT_GT(words, 5000U);
  EXPECT_GT(notifications, 1000U);
}

// A sender that leaves out the cycles of which steady() says that nothing changes ends where the other one does.
TEST(LinkSync, LeftOutCyclesChangeNothing) {
  std::uint64_t left_out = 0;
  std::uint64_t all = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomStream random(seed, "steady");
    const auto gap = static_cast<std::uint32_t>(1 + random.below(4));
    LinkSync stepped(gap);
    LinkSync skipping(gap);
    for (int phase = 0; phase < 40; ++phase) {
      LinkSyncInputs in;
      in.notify = random.below(4) == 0;
      in.valid = random.below(2) == 0;
      in.link_active = random.below(2) == 0;
      const std::uint64_t cycles = 1 + random.below(random.below(2) == 0 ? 200 : 4);
      for (std::uint64_t i = 0; i < cycles; ++i) {
        const bool skip = skipping.steady(in);
        const LinkSyncOutputs a = stepped.step(in);
        LinkSyncOutputs b = a;
        if (!skip) b = skipping.step(in);
        ASSERT_EQ(a, b) << "seed " << seed;
        left_out += skip ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_GT(left_out, all / 2);
}

}  // namespace
}  // namespace weft::test

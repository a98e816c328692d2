// Cost of runs on a lane, by the rules of the data-active signal: one cycle more than words, one for a notification,
// two rests, a notification and a word to be dropped for a cut; and blocks that lose something are found out.

#include "algorithms/optweb/lane.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostics.h"

namespace weft::optweb {
namespace {

TEST(OptwebLane, RunsCostWhatTheRulesSay) {
  for (std::uint32_t gap = LinkSync::kMinGap; gap <= LinkSync::kMaxGap; ++gap) {
    LinkSync a(gap);
    LinkSync b(gap);
    Lane there(a, b, gap, "there");
    Lane back(b, a, gap, "back");
    for (int round = 0; round < 3; ++round) {
      for (const std::uint64_t words : {1, 2, 3, 4, 5, 100, 1'000'000'000}) {
        EXPECT_EQ(there.data(words), words + 1);
        EXPECT_EQ(there.notification(), 1U);
        EXPECT_EQ(there.cut(), 2 * gap + 2) << gap;
        EXPECT_EQ(back.data(words), words + 1);
        EXPECT_EQ(back.cut(), 2 * gap + 2) << gap;
      }
    }
  }
}

// A receiver with a fault.
class Faulty final : public LinkSyncIf {
 public:
  enum class Fault { loses_words, swaps, hears_notifications, deaf };
  explicit Faulty(Fault fault) : fault_(fault) {}
  LinkSyncOutputs step(const LinkSyncInputs& in) override {
    LinkSyncOutputs out = sync_.step(in);
    if (fault_ == Fault::loses_words && out.received && ++words_ == 3) out.received = false;
    if (fault_ == Fault::swaps && out.received) out.received_word ^= 1;
    if (fault_ == Fault::hears_notifications && out.received && ++words_ == 2) out.notified = true;
    if (fault_ == Fault::deaf) out.notified = false;
    return out;
  }
  bool steady(const LinkSyncInputs& in) const override { return sync_.steady(in); }

 private:
  LinkSync sync_;
  Fault fault_;
  int words_ = 0;
};

std::string error_of(Faulty::Fault fault, bool notification) {
  LinkSync a;
  Faulty b(fault);
  Lane lane(a, b, 1, "lane");
  try {
    if (notification) {
      lane.notification();
    } else {
      lane.data(4);
    }
  } catch (const RunError& e) {
    return e.what();
  }
  return {};
}

TEST(OptwebLane, FaultsAreFound) {
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of(Faulty::Fault::loses_words, false), HasSubstr("4 words and 0 notifications were sent, 3 and 0"));
  EXPECT_THAT(error_of(Faulty::Fault::swaps, false), HasSubstr("in another order"));
  EXPECT_THAT(error_of(Faulty::Fault::hears_notifications, false), HasSubstr("4 and 1 have been received"));
  EXPECT_THAT(error_of(Faulty::Fault::deaf, true), HasSubstr("1 notifications were sent, 0 and 0"));
}

}  // namespace
}  // namespace weft::optweb

// Control of the distributed switch: who is notified, when words may pass, when everything has passed.

#include "algorithms/optweb/control/switch_control.h"

#include <gtest/gtest.h>

namespace weft::test {
namespace {

using optweb::ControlEvents;
using optweb::SwitchControl;

constexpr ControlEvents kNothing{};
constexpr ControlEvents kOpens{.opens = true};
constexpr ControlEvents kNoted{.noted = true};
constexpr ControlEvents kSent{.sent = true};
constexpr ControlEvents kReceived{.received = true};

// Node 0 of four sends 10 words to nodes 1 and 2 and to itself, and gets 7 of node 3.
const optweb::ControlWord kTransfer{false, {}, {{0, 1, 10}, {1, 1, 10}, {2, 1, 10}}, {{0, 0, 10}, {3, 3, 7}}};

SwitchControl control_of(optweb::ControlWord word, bool rendezvous) {
  word.rendezvous = rendezvous;
  SwitchControl control(4, 0);
  control.write(word, 0);
  return control;
}

TEST(SwitchControl, BarrierNotifiesItsNodesAndWaitsForThem) {
  SwitchControl control(4, 0);
  control.write({false, {1, 3}, {}, {}}, 0);
  EXPECT_EQ(control.set(5), kNothing);
  EXPECT_TRUE(control.notifies(1));
  EXPECT_FALSE(control.notifies(2));
  EXPECT_EQ(control.notified(3, 6), kNothing);
  EXPECT_EQ(control.awaited(1), 1U);
  EXPECT_EQ(control.notified(1, 9), kNoted);
  EXPECT_TRUE(control.complete());
}

TEST(SwitchControl, EagerWordsPassAtOnceAndAreConfirmedByTheirReceivers) {
  SwitchControl control = control_of(kTransfer, false);
  EXPECT_EQ(control.set(5), kOpens);
  for (std::uint32_t p = 0; p < 4; ++p) EXPECT_FALSE(control.notifies(p));
  EXPECT_EQ(control.awaited(0), 0U) << "the node itself";
  EXPECT_EQ(control.awaited(1), 1U);
  EXPECT_EQ(control.passed(2, 10, 9), kNothing) << "no output has the words of this reader";
  EXPECT_EQ(control.passed(1, 4, 9), kNothing);
  EXPECT_EQ(control.send_left(2), 6U);
  EXPECT_EQ(control.passed(1, 6, 19), kSent);
  EXPECT_EQ(control.counted(3, 7, 20), kNothing);
  EXPECT_EQ(control.counted(0, 10, 30), kReceived);
  EXPECT_TRUE(control.confirms(3));
  EXPECT_FALSE(control.confirms(0));
  EXPECT_EQ(control.notified(1, 40), kNothing);
  EXPECT_EQ(control.notified(2, 41), kNoted);
  EXPECT_TRUE(control.complete());
}

TEST(SwitchControl, GateWaitsForAllReceiversOfARendezvous) {
  SwitchControl control = control_of(kTransfer, true);
  EXPECT_EQ(control.set(5), kNothing);
  EXPECT_TRUE(control.notifies(3)) << "its source may send";
  EXPECT_FALSE(control.notifies(1));
  EXPECT_EQ(control.passed(1, 10, 6), kNothing) << "held back";
  EXPECT_EQ(control.send_left(1), 10U);
  EXPECT_EQ(control.notified(2, 7), kNothing);
  EXPECT_TRUE(control.unready(1));
  EXPECT_FALSE(control.unready(2));
  EXPECT_EQ(control.notified(1, 8), kOpens);
  EXPECT_EQ(control.passed(1, 10, 20), kSent);
  EXPECT_EQ(control.notified(1, 30), kNothing);
  EXPECT_EQ(control.notified(2, 31), kNoted);
}

TEST(SwitchControl, EarlyNotificationsAreKeptForTheirInstruction) {
  SwitchControl control = control_of(kTransfer, true);
  control.notified(1, 2);
  control.notified(2, 3);
  EXPECT_EQ(control.early(2), 1U);
  EXPECT_EQ(control.set(5), kOpens);
  EXPECT_EQ(control.awaited(1), 1U);
  EXPECT_EQ(control.early(1), 0U);
  for (int i = 0; i < 5; ++i) control.notified(3, 6);
  EXPECT_EQ(control.early(3), optweb::kEarlyNotifications);
}

TEST(SwitchControl, WordsToTheNodeItselfNeedNoReceiver) {
  SwitchControl control = control_of({false, {}, {{0, 0, 3}}, {{0, 0, 3}}}, true);
  EXPECT_EQ(control.set(5), kOpens);
  EXPECT_EQ(control.passed(0, 3, 9), kSent);
  EXPECT_EQ(control.counted(0, 3, 9), kReceived);
  EXPECT_TRUE(control.complete());
}

TEST(SwitchControl, ClearForgetsTheInstructionButNoEarlyNotification) {
  SwitchControl control = control_of(kTransfer, true);
  control.set(5);
  control.notified(3, 6);
  control.write({false, {1}, {}, {}}, 7);  // refused: it holds one
  control.clear(8);
  EXPECT_FALSE(control.holds());
  EXPECT_EQ(control.awaited(1), 0U);
  EXPECT_EQ(control.counted(3, 7, 9), kNothing);
  EXPECT_EQ(control.set(10), kNothing) << "there is none";
  control.write({false, {1, 3}, {}, {}}, 11);
  EXPECT_EQ(control.set(16), kNothing);
  EXPECT_EQ(control.notified(1, 17), kNoted);
}

}  // namespace
}  // namespace weft::test

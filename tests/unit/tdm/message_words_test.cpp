// Words of a message: the whole ones that hold it, one at least.

#include <gtest/gtest.h>

#include "fabrics/tdm/message.h"

namespace weft {
namespace {

TEST(MessageWords, HoldTheWholeMessage) {
  EXPECT_EQ(words_of(DataSize{0}, 64), 1U);
  EXPECT_EQ(words_of(DataSize{1}, 64), 1U);
  EXPECT_EQ(words_of(DataSize{64}, 64), 1U);
  EXPECT_EQ(words_of(DataSize{65}, 64), 2U);
  EXPECT_EQ(words_of(DataSize{8 * 17}, 85), 2U);
  EXPECT_EQ(words_of(DataSize{8LL << 42}, 8), 1ULL << 42) << "more than a network carries, counted all the same";
}

}  // namespace
}  // namespace weft

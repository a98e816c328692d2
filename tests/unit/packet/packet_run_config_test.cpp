// Keys of packet networks that say how long a run is.

#include "unit/packet/packet_config_support.h"

namespace weft {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(PacketConfig, SteadyRunsControlTheLevelsWithTraffic) {
  const std::string both = "traffic: [ { level: b, load: 0.1 }, { level: a, load: 0.1 } ]\n";
  const PacketConfig c = good_packet(kTree + kPacket + both + "run: { until: steady }\n");
  EXPECT_EQ(c.run.until, RunUntil::steady);
  EXPECT_EQ(c.run.half_width, 0.02);
  EXPECT_EQ(c.run.at_most.ps, 20'000'000'000);
  EXPECT_THAT(c.run.levels, ElementsAre(0, 1));
  EXPECT_THAT(good_packet(kTree + kPacket + kSend + "run: { until: steady }\n").run.levels, ElementsAre(0));
  const PacketConfig one =
      good_packet(kTree + kPacket + both +
                  "run: { until: steady, levels: [b], half_width: 0.25%, confidence: 99.9%, at_most: 5ms }\n");
  EXPECT_THAT(one.run.levels, ElementsAre(1));
  EXPECT_EQ(one.run.half_width, 0.0025);
  EXPECT_EQ(one.run.confidence, 0.999);
  EXPECT_EQ(one.run.at_most.ps, 5'000'000'000);
}

TEST(PacketConfig, KeysOfSteadyRunsHaveNoEffectOnWindows) {
  EXPECT_THAT(
      parse_packet(kTree + kPacket + kSend + "run: { half_width: 1%, at_most: 1ms, levels: [a], confidence: 90% }\n")
          .said,
      ElementsAre(HasSubstr("run.half_width has no effect with run.until 'window'"),
                  HasSubstr("run.at_most has no effect with run.until 'window'"),
                  HasSubstr("run.levels has no effect with run.until 'window'")));
}

}  // namespace
}  // namespace weft

// The message-level model of packet switches against the flit-by-flit reference: every message is given to every link,
// and delivered, in exactly the same cycle.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/child.h"
#include "support/packet_model_run.h"

namespace weft::test {
namespace {

using packet_oracle::OracleDecision;
using ::testing::HasSubstr;

constexpr Cycle kMostCycles = 200'000;

std::string path_text(const std::vector<OracleDecision>& path) {
  std::string out;
  for (const OracleDecision& d : path) out += fmt::format(" link {} in cycle {}", d.link, d.cycle);
  return out;
}

// The earliest decision that differs; empty when none does.
std::string first_difference(const RandomPacketCase& c, const packet_oracle::OracleResult& expected,
                             const ModelRun& got) {
  std::string out;
  const Cycle most = kMostCycles * c.scale;
  Cycle earliest = most;
  for (std::size_t i = 0; i < c.messages.size(); ++i) {
    const auto& a = expected.decisions[i];
    const auto& b = got.decisions[i];
    if (a == b && expected.delivered[i] == got.delivered[i]) continue;
    const std::size_t same =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    Cycle when = std::min(same < a.size() ? a[same].cycle : most, same < b.size() ? b[same].cycle : most);
    when = std::min(when, most - 1);
    if (when >= earliest) continue;
    earliest = when;
    const auto& m = c.messages[i];
    out = fmt::format(
        "message {} ({} -> {}, SL {}, {} flits, generated in cycle {}): expected{}, delivered in {}; got{}, "
        "delivered in {}",
        i, m.source, m.destination, m.level, m.flits, m.generated, path_text(a), expected.delivered[i], path_text(b),
        got.delivered[i]);
  }
  return out;
}

void compare(const RandomPacketCase& c) {
  const std::uint64_t seed = c.seed;
  SCOPED_TRACE(c.describe());
  const auto expected = packet_oracle::run_packet_oracle(c.oracle_setup(), c.messages, kMostCycles * c.scale);
  const Cycle last = *std::max_element(expected.delivered.begin(), expected.delivered.end());
  ASSERT_GT(last, 0);
  // Every third case serves the modules of a cycle in random order, every second one fetches ahead.
  ModelOptions options;
  options.fetches = seed % 2 == 0;
  if (seed % 3 == 0) options.shuffle = seed;
  const ChildResult child =
      in_child([&] { return first_difference(c, expected, run_packet_model(c, last + 100, options)); });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "");
}

TEST(PacketModel, DeliversEveryMessageInTheCycleOfTheFlitByFlitReference) {
  for (int seed = 0; seed < 80 * soak() && !HasFailure(); ++seed) {
    compare(random_packet_case(static_cast<std::uint64_t>(seed)));
  }
}

// Messages of up to 480 flits, and stages and links of up to 144 cycles.
TEST(PacketModel, DeliversLongMessagesOverLongLinksInTheCycleOfTheReference) {
  for (int seed = 0; seed < 10 * soak() && !HasFailure(); ++seed) {
    compare(random_packet_case(static_cast<std::uint64_t>(seed), 12));
  }
}

// A case in which the rate out of a central buffer shows (PacketOracleOpa.MessagesLeaveTheCentralBufferNoFasterThan-
// TheyCome), which it hardly does in random ones.
TEST(PacketModel, MessagesLeaveTheCentralBufferNoFasterThanTheyCome) {
  const auto shared = [](std::uint32_t flits) {
    return BufferShares{.capacity = flits, .minimum = {0, 0}, .maximum = {flits, flits}};
  };
  for (const std::uint32_t flits : {20U, 10U}) {
    RandomPacketCase c;
    c.graph.add_switch(8);
    for (PortId p = 0; p < 8; ++p) c.graph.attach_node({0, p});
    c.lane = {{0, 1}};
    PacketParameters& p = c.parameters;
    p.architecture = &kOpaArchitecture;
    p.lanes = p.levels = 2;
    p.bubble = {0, 0};
    for (BufferShares* shares : {&p.input, &p.output, &p.nic, &p.nic_input}) *shares = shared(1000);
    p.own = OpaParameters{.mport_ports = 4, .central_links = 1, .central_messages = 3, .central = shared(1000)};
    c.tables.assign(c.graph.link_count(), {{0, 2}, {1, 2}});
    c.messages = {{.source = 0, .destination = 4, .level = 1, .flits = 20},
                  {.source = 1, .destination = 5, .level = 1, .flits = 20},
                  {.source = 2, .destination = 4, .level = 1, .flits = flits}};
    for (int i = 0; i < 20; ++i) c.messages.push_back({.source = 5, .destination = 4, .level = 1, .flits = 2});
    c.messages.push_back({.generated = 20, .source = 3, .destination = 4, .level = 0, .flits = 2});
    compare(c);
  }
}

TEST(PacketModel, SwitchesOfMorePartsThanTheirNumbersHoldAreRefused) {
  const auto said = [](const RandomPacketCase& c) {
    return in_child([&] { return std::to_string(run_packet_model(c, 10).allocations); }).text;
  };
  RandomPacketCase links = random_packet_case(0);
  links.parameters.architecture = &kOpaArchitecture;
  std::any_cast<OpaParameters&>(links.parameters.own).central_links = kMaxCentralLinks + 1;
  EXPECT_THAT(said(links), HasSubstr("an MPort has at most 64 central links"));
  RandomPacketCase ports = random_packet_case(0);
  ports.graph.add_switch(kMaxPacketPorts + 1);
  for (const auto* architecture : {&kIbArchitecture, &kOpaArchitecture}) {
    ports.parameters.architecture = architecture;
    EXPECT_THAT(said(ports), HasSubstr("a packet switch has at most 256 ports"));
  }
}

TEST(PacketModel, NothingIsAllocatedPerMessageOnceTheRunIsWarm) {
  RandomPacketCase c = random_packet_case(0);
  while (c.messages.size() < 100) c = random_packet_case(c.seed + 1);
  // The same messages ten times over, each round after the last one has gone.
  const auto expected = packet_oracle::run_packet_oracle(c.oracle_setup(), c.messages, kMostCycles);
  const Cycle last = *std::max_element(expected.delivered.begin(), expected.delivered.end());
  const ChildResult once = in_child([&] { return std::to_string(run_packet_model(c, last + 100).allocations); });
  const auto round = c.messages;
  for (int r = 1; r < 10; ++r) {
    for (auto m : round) {
      m.generated += r * (last + 1000);
      c.messages.push_back(m);
    }
  }
  const ChildResult ten =
      in_child([&] { return std::to_string(run_packet_model(c, 10 * (last + 1000) + 100).allocations); });
  ASSERT_TRUE(once.ok && ten.ok) << once.text << ten.text;
  EXPECT_EQ(ten.text, once.text);
}

}  // namespace
}  // namespace weft::test

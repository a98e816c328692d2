// AXI4-Stream transmitters and receivers at the nodes of networks, by their pins: random packets of several streams
// under a checker of the rules on both sides, every byte compared; the cycles of a packet and of a stream of them.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/endpoints/axi_station.h"
#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "support/axi_stream_agents.h"
#include "support/child.h"
#include "support/tlm_checker.h"
#include "workload/axi/axi_stream_checker.h"
#include "workload/axi/axi_stream_receiver.h"
#include "workload/axi/axi_stream_transmitter.h"

namespace weft::test {
namespace {

using namespace endpoints;

constexpr std::uint64_t kStride = 0x1000;

// Transmitters at nodes 0 to 2 with a bus of `DataBits`, receivers at nodes 3 to 5 with one of `OtherBits`, the last of
// them slow and behind a bridge that calls it with b_transport.
template <unsigned DataBits, unsigned OtherBits>
std::string streams(const std::string& yaml, double clock_ratio, std::uint32_t packet, std::uint64_t seed) {
  using Pins = axi::StreamSignals<DataBits, 5, 3>;
  using Other = axi::StreamSignals<OtherBits, 5, 3>;
  const auto design = design_of(yaml);
  const auto plan = design->plan();
  TlmSystem network("network", *plan, {0, 1, 2, 3, 4, 5});
  const sc_core::sc_time cycle = clock_ratio * network.fabric().domain().period_time();
  sc_core::sc_clock clock("clock", cycle);
  sc_core::sc_signal<bool> running("running", true);
  StreamBooks books;
  std::vector<std::unique_ptr<TlmChecker>> tlm;

  std::vector<std::unique_ptr<Other>> other_pins;
  std::vector<std::unique_ptr<StreamSink>> sinks;
  std::vector<std::unique_ptr<axi::StreamTransmitterPort<OtherBits, 5, 3>>> transmitters;
  std::vector<std::unique_ptr<StreamStation<Other, StreamSink>>> behind;
  for (NodeId n = 3; n < 6; ++n) {
    const std::uint32_t dest = n - 3;
    network.map(0x40000 + dest * kStride, kStride, n);
    network.node(n).configure({.approximately_timed = n != 5, .target_outstanding = 3});
    other_pins.push_back(std::make_unique<Other>(fmt::format("to{}", n)));
    transmitters.push_back(std::make_unique<axi::StreamTransmitterPort<OtherBits, 5, 3>>(
        fmt::format("transmitter{}", n).c_str(), *other_pins.back(), axi::StreamTransmitterOptions{2}));
    transmitters.back()->clk(clock);
    transmitters.back()->rst_n(running);
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_target{}", n).c_str()));
    network.node(n).target_side.bind(tlm.back()->initiator);
    tlm.back()->target.bind(transmitters.back()->socket);
    sinks.push_back(std::make_unique<StreamSink>(dest, n == 5 ? 5 : n - 3, books, seed));
    behind.push_back(std::make_unique<StreamStation<Other, StreamSink>>(fmt::format("behind{}", n).c_str(),
                                                                        *other_pins.back(), *sinks.back(), clock));
  }
  std::vector<std::unique_ptr<Pins>> pins;
  std::vector<std::unique_ptr<StreamTraffic>> sources;
  std::vector<std::unique_ptr<axi::StreamReceiverPort<DataBits, 5, 3>>> receivers;
  std::vector<std::unique_ptr<StreamStation<Pins, StreamTraffic>>> before;
  const std::uint64_t packets = soak() > 1 ? 400 : 80;
  for (NodeId n = 0; n < 3; ++n) {
    pins.push_back(std::make_unique<Pins>(fmt::format("from{}", n)));
    StreamPlan what;
    what.bus = Pins::kBus;
    what.first_id = 8 * n;
    what.ids = 5;
    what.dests = 3;
    what.beats = 6;
    what.packets = packets;
    what.pause = 3 * n;
    sources.push_back(std::make_unique<StreamTraffic>(what, books, seed));
    receivers.push_back(std::make_unique<axi::StreamReceiverPort<DataBits, 5, 3>>(
        fmt::format("receiver{}", n).c_str(), *pins.back(), axi::StreamReceiverOptions{0x40000, kStride, packet, 4}));
    receivers.back()->clk(clock);
    receivers.back()->rst_n(running);
    tlm.push_back(std::make_unique<TlmChecker>(fmt::format("at_initiator{}", n).c_str()));
    receivers.back()->socket.bind(tlm.back()->initiator);
    tlm.back()->target.bind(network.node(n).initiator_side);
    before.push_back(std::make_unique<StreamStation<Pins, StreamTraffic>>(fmt::format("before{}", n).c_str(),
                                                                          *pins.back(), *sources.back(), clock));
  }
  std::uint64_t last = 0;
  do {
    last = books.arrived;
    sc_core::sc_start(20'000 * cycle);
  } while (books.arrived < 3 * packets && books.arrived > last);
  sc_core::sc_start(1000 * cycle);
  std::uint64_t interleaved = 0;
  for (const auto& s : before) interleaved += s->checker.interleaved;
  for (const auto& s : behind) interleaved += s->checker.interleaved;
  if (!books.wrong.empty()) return books.wrong;
  if (books.arrived != 3 * packets) return fmt::format("{} of {} packets", books.arrived, 3 * packets);
  for (const std::string& wrong : {trouble_of(tlm), trouble_of(before), trouble_of(behind)}) {
    if (!wrong.empty()) return wrong;
  }
  if (books.empty == 0 || interleaved == 0) return fmt::format("{} empty, {} interleaved", books.empty, interleaved);
  if (network.fabric().outstanding() != 0) return "something is left";
  return "";
}

TEST(AxiStreamOverNetworks, KeepsTheRulesAndEveryByte) {
  const auto run = [](const std::string& fabric, double ratio, std::uint32_t packet, auto bits, auto other) {
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(soak()); ++seed) {
      SCOPED_TRACE(fmt::format("{}, seed {}", fabric, seed));
      const ChildResult child = in_child([&] {
        return streams<decltype(bits)::value, decltype(other)::value>(network_of(fabric), ratio, packet, seed);
      });
      ASSERT_TRUE(child.ok) << child.text;
      ASSERT_EQ(child.text, "");
    }
  };
  using std::integral_constant;
  run("ideal", 1, 4096, integral_constant<unsigned, 64>(), integral_constant<unsigned, 64>());
  run("ib_tree", 0.7, 64, integral_constant<unsigned, 32>(), integral_constant<unsigned, 512>());
  run("iq", 1.3, 37, integral_constant<unsigned, 256>(), integral_constant<unsigned, 8>());
  run("tdm", 1, 128, integral_constant<unsigned, 1024>(), integral_constant<unsigned, 128>());
  run("optweb", 2, 100, integral_constant<unsigned, 16>(), integral_constant<unsigned, 32>());
}

/// Packets of `beats` full beats from node 0 to node 1 of an ideal network of 7 cycles, the pins on its clock. Returns
/// when the last beat of each is taken at either end.
std::string packets_of(std::uint32_t beats, std::uint32_t outstanding, unsigned packets, std::uint64_t dest = 0) {
  const ChildResult child = in_child([&]() -> std::string {
    using Pins = axi::StreamSignals<64, 4, 4>;
    const auto design = design_of(std::string("fabric: ideal\nideal: { nodes: 2, latency: 7cycles }\n") + kLevels);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    network.map(0, kStride, 1);
    network.node(1).configure({.approximately_timed = true});
    const sc_core::sc_time cycle = network.fabric().domain().period_time();
    sc_core::sc_clock clock("clock", cycle);
    sc_core::sc_signal<bool> running("running", true);
    Pins from("from");
    Pins to("to");
    axi::StreamReceiverPort<64, 4, 4> receiver("receiver", from, {0, kStride, 4096, outstanding});
    axi::StreamTransmitterPort<64, 4, 4> transmitter("transmitter", to);
    receiver.clk(clock);
    receiver.rst_n(running);
    transmitter.clk(clock);
    transmitter.rst_n(running);
    receiver.socket.bind(network.node(0).initiator_side);
    network.node(1).target_side.bind(transmitter.socket);
    static std::string reported;  // the kernel caches reports by process
    sc_core::sc_report_handler::set_handler(
        [](const sc_core::sc_report& report, const sc_core::sc_actions&) { reported = report.get_msg(); });
    std::string heard;
    std::uint32_t sent = 0;
    sc_core::sc_start(cycle / 2);
    // Between edges: what is seen here is what both sides see at the next one.
    for (unsigned edge = 1; edge < 200; ++edge) {
      const auto note = [&](const char* what) {
        heard += fmt::format("{}{} {}", heard.empty() ? "" : ", ", what, edge);
      };
      axi::StreamPins p;
      p.valid = edge >= 4 && sent < beats * packets;
      p.bytes.assign(8, static_cast<unsigned char>(sent));
      p.keep = p.strobes = std::vector<bool>(8, true);
      p.last = sent % beats + 1 == beats;
      p.dest = static_cast<std::uint32_t>(dest);
      from.drive(p);
      to.drive(true);
      sc_core::sc_start(cycle / 4);
      if (p.valid && from.tready.read()) {
        ++sent;
        if (p.last) note("in");
      }
      const axi::StreamPins out = to.transmitter();
      if (out.valid && out.last) note("out");
      sc_core::sc_start(cycle - cycle / 4);
    }
    return heard + (reported.empty() ? "" : "; " + reported);
  });
  return child.text;
}

// A packet whose last beat is taken in cycle t enters the network in t + 1 and arrives 7 later; the edge behind that
// drives its first beat, which the next one takes: t + 10, and a cycle for each further beat.
TEST(AxiStreamTimes, APacketTakesATransferAndTwoEdges) {
  EXPECT_EQ(packets_of(1, 16, 1), "in 4, out 14");
  EXPECT_EQ(packets_of(4, 16, 1), "in 7, out 20");
}

// With one packet at a time the next one waits for the answer, which takes as long: 2 * (7 + 3) + 2 * (beats - 1).
TEST(AxiStreamTimes, AWindowOfOnePacket) {
  EXPECT_EQ(packets_of(4, 1, 3), "in 7, out 20, in 33, out 46, in 59, out 72");
}

// With a window that covers that time a beat is taken in every cycle.
TEST(AxiStreamTimes, AWindowThatCoversTheWayThereAndBack) {
  EXPECT_EQ(packets_of(4, 7, 3), "in 7, in 11, in 15, out 20, out 24, out 28");
}

TEST(AxiStreamErrors, AnUnknownDestinationAndWrongOptions) {
  EXPECT_THAT(packets_of(2, 16, 1, 3),
              ::testing::HasSubstr("packet of 16 bytes with TID 0 to TDEST 3 (address 0x3000): TLM_ADDRESS_ERROR"));
  EXPECT_THAT(packets_of(2, 0, 1), ::testing::HasSubstr("a limit of outstanding packets is at least 1"));
  const ChildResult small = in_child([]() -> std::string {
    axi::StreamReceiver receiver("receiver", 64, {.packet = 32});
    return "accepted";
  });
  EXPECT_FALSE(small.ok);
  EXPECT_THAT(small.text, ::testing::HasSubstr("packets of 32 bytes: a transaction has at least the 64 bytes"));
}

// TDEST 1 would begin at 2^64; it is not sent to address 0, which is somebody's.
TEST(AxiStreamErrors, ADestinationBeyondTheAddresses) {
  const ChildResult child = in_child([]() -> std::string {
    axi::StreamReceiver receiver("receiver", 8, {.base = 0xffff'ffff'ffff'f000, .stride = 4096});
    axi::StreamPins pins;
    receiver.clock(pins);
    pins.valid = pins.last = true;
    pins.dest = 1;
    pins.bytes.assign(8, 0x55);
    pins.keep.assign(8, true);
    pins.strobes.assign(8, true);
    std::string heard;
    try {
      receiver.clock(pins);
    } catch (const sc_core::sc_report& report) {
      heard = report.get_msg();
    }
    return fmt::format("{}; lost {}", heard, receiver.lost);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_THAT(child.text, ::testing::HasSubstr("packet of 8 bytes with TID 0 to TDEST 1: base 0xfffffffffffff000 + 1 * "
                                               "stride 0x1000 is no address of 64 bits"));
  EXPECT_THAT(child.text, ::testing::EndsWith("; lost 1"));
}

}  // namespace
}  // namespace weft::test

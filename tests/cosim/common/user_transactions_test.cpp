// Bursts and packets between a user's pins in the waveform of a network (run/trace.h), as rows of text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "cli/families.h"
#include "run/tlm_system.h"
#include "run/trace.h"
#include "schema/document.h"
#include "support/child.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

std::unique_ptr<Design> design_with_level(const std::string& network) {
  Diagnostics diagnostics;
  return cli::read_design(
      cli::builtin_families(),
      parse_document(network + "\nqos: { levels: { a: { message: 64B } } }\ntraffic: []\n", "t.yaml", "."), "t.yaml",
      {}, diagnostics);
}

// Two reads of one ID and a write of another overlap; a third read finds no row free.
TEST(UserTransactions, BurstsAreSpansOfText) {
  const ScratchFolder folder;
  const std::string file = folder.path("w.fst");
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_with_level("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }");
    const auto plan = design->plan();
    TlmSystem system("system", *plan, {});
    sc_core::sc_signal<bool> clock("clk");
    axi::Signals<32, 64, 4> pins("pins");
    trace_bursts(pins, clock, "bursts", 2);
    system.open_waves(file);
    const auto edge = [&] {
      sc_core::sc_start(5, sc_core::SC_NS);
      clock = true;
      sc_core::sc_start(5, sc_core::SC_NS);
      clock = false;
    };
    const auto address = [&](bool write, std::uint32_t id, std::uint64_t at) {
      axi::ManagerPins p;
      (write ? p.aw_valid : p.ar_valid) = true;
      (write ? p.aw : p.ar) = {id, at, 8, 8, axi::Burst::incr};
      pins.drive(p);
      (write ? pins.awready : pins.arready) = true;
      edge();
      pins.drive(axi::ManagerPins{});
    };
    address(false, 3, 0x1000);  // taken at 5 ns
    address(false, 3, 0x2000);
    address(false, 5, 0x3000);
    address(true, 7, 0x4000);
    pins.rready = true;
    pins.bready = true;
    const auto last = [&](std::uint32_t id) {
      axi::SubordinatePins p;
      p.r_valid = p.r_last = true;
      p.r_id = id;
      p.r_bytes.resize(8);
      pins.drive(p);
      edge();
      pins.drive(axi::SubordinatePins{});
    };
    last(3);  // at 45 ns
    last(5);
    last(3);
    axi::SubordinatePins b;
    b.b_valid = true;
    b.b_id = 7;
    pins.drive(b);
    edge();
    edge();
    return system.close_waves().size() == 2 ? "" : "not a waveform and its view";
  });
  ASSERT_TRUE(child.ok) << child.text;
  ASSERT_EQ(child.text, "");
  const Vcd waves = read_fst(file);
  // A cycle of the network, which has 5.12 ns, or two after the handshake.
  const auto texts = [&](const std::string& name) {
    std::vector<std::string> out;
    for (const VcdChange& c : waves.signal("bursts." + name).changes) out.push_back(c.value);
    return out;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(texts("reads.row0"), ElementsAre("", "id 3 0x1000 INCR 8 x 8 B", ""));
  EXPECT_THAT(texts("reads.row1"), ElementsAre("", "id 3 0x2000 INCR 8 x 8 B", ""));
  EXPECT_THAT(texts("writes.row0"), ElementsAre("", "id 7 0x4000 INCR 8 x 8 B", ""));
  const auto& first = waves.signal("bursts.reads.row0").changes;
  EXPECT_GE(first[1].time, 5'000U);
  EXPECT_LE(first[1].time, 5'000U + 2 * 5'120);
  EXPECT_GE(first[2].time, 45'000U);
  EXPECT_LE(first[2].time, 45'000U + 2 * 5'120);
  EXPECT_EQ(waves.signal("bursts.reads.more").number_at(40'000), 1U);
  EXPECT_EQ(waves.signal("bursts.reads.more").number_at(waves.last_time()), 0U);
}

// A packet of two beats, one of another TID between them, and one of a single beat.
TEST(UserTransactions, PacketsOfStreamsAreSpansOfText) {
  const ScratchFolder folder;
  const std::string file = folder.path("w.fst");
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_with_level("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }");
    const auto plan = design->plan();
    TlmSystem system("system", *plan, {});
    sc_core::sc_signal<bool> clock("clk");
    axi::StreamSignals<32, 4, 4> pins("pins");
    trace(pins);
    trace_packets(pins, clock, "stream", 2);
    system.open_waves(file);
    const auto edge = [&](bool ready, std::uint32_t id, bool last) {
      axi::StreamPins p{
          true, std::vector<unsigned char>(4, 7), std::vector<bool>(4, true), std::vector<bool>(4, true), last, id, 9};
      pins.drive(p);
      pins.drive(ready);
      sc_core::sc_start(5, sc_core::SC_NS);
      clock = true;
      sc_core::sc_start(5, sc_core::SC_NS);
      clock = false;
    };
    edge(true, 3, false);
    edge(false, 5, false);  // is not taken
    edge(true, 5, false);
    edge(true, 3, true);
    edge(true, 5, true);
    edge(true, 2, true);
    pins.drive(axi::StreamPins{});
    sc_core::sc_start(5, sc_core::SC_NS);
    clock = true;
    sc_core::sc_start(5, sc_core::SC_NS);
    return system.close_waves().size() == 2 ? "" : "not a waveform and its view";
  });
  ASSERT_TRUE(child.ok) << child.text;
  ASSERT_EQ(child.text, "");
  const Vcd waves = read_fst(file);
  const auto texts = [&](const std::string& name) {
    std::vector<std::string> out;
    for (const VcdChange& c : waves.signal("stream.packets." + name).changes) out.push_back(c.value);
    return out;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(texts("row0"), ElementsAre("", "id 3 to 9: 1 beat", "id 3 to 9: 2 beats", "", "id 2 to 9: 1 beat", ""));
  EXPECT_THAT(texts("row1"), ElementsAre("", "id 5 to 9: 1 beat", "id 5 to 9: 2 beats", ""));
  EXPECT_EQ(waves.signal("pins_tdata").number_at(waves.last_time()), 0x07070707U);
}

// On the clock of the network the row of a burst begins with the cycle in which the waveform shows the handshake of its
// address, and ends with that of its answer; the row of a packet likewise.
TEST(UserTransactions, RowsOfBurstsAndPacketsLineUpWithThePins) {
  const ScratchFolder folder;
  const std::string file = folder.path("w.fst");
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_with_level("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }");
    const auto plan = design->plan();
    TlmSystem system("system", *plan, {});
    const sc_core::sc_time cycle = system.fabric().domain().period_time();
    sc_core::sc_clock clock("clk", cycle);
    axi::Signals<32, 64, 4> pins("pins");
    axi::StreamSignals<32, 4, 4> stream("stream");
    trace(pins);
    trace(stream);
    trace_bursts(pins, clock, "bursts", 2);
    trace_packets(stream, clock, "packets", 2);
    system.open_waves(file);
    int edge = 0;
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&clock.posedge_event());
    sc_core::sc_spawn(
        [&] {
          ++edge;
          axi::ManagerPins m;
          m.ar_valid = edge == 10;
          m.ar = {3, 0x1000, 8, 8, axi::Burst::incr};
          m.r_ready = true;
          axi::SubordinatePins s;
          s.ar_ready = true;
          s.r_valid = s.r_last = edge == 20;
          s.r_id = 3;
          s.r_bytes.resize(8);
          pins.drive(m);
          pins.drive(s);
          axi::StreamPins p;
          p.valid = edge == 12 || edge == 15;
          p.bytes.resize(4);
          p.keep = p.strobes = std::vector<bool>(4, true);
          p.last = edge == 15;
          stream.drive(p);
          stream.drive(true);
        },
        "player", &options);
    sc_core::sc_start(40 * cycle);
    return system.close_waves().size() == 2 ? "" : "not a waveform and its view";
  });
  ASSERT_TRUE(child.ok) << child.text;
  ASSERT_EQ(child.text, "");
  const Vcd waves = read_fst(file);
  const auto time_of = [&](const std::string& name, const std::string& value, std::size_t which) {
    for (const VcdChange& c : waves.signal(name).changes) {
      if (c.value == value && which-- == 0) return static_cast<std::int64_t>(c.time);
    }
    return std::int64_t{-1};
  };
  const std::int64_t handshake = time_of("pins_arvalid", "1", 0);
  ASSERT_GT(handshake, 0);
  EXPECT_EQ(time_of("bursts.reads.row0", "id 3 0x1000 INCR 8 x 8 B", 0), handshake);
  EXPECT_EQ(time_of("bursts.reads.row0", "", 1), time_of("pins_rvalid", "0", 1));
  EXPECT_EQ(time_of("packets.packets.row0", "id 0 to 0: 1 beat", 0), time_of("stream_tvalid", "1", 0));
  EXPECT_EQ(time_of("packets.packets.row0", "id 0 to 0: 2 beats", 0), time_of("stream_tvalid", "1", 1));
  EXPECT_EQ(time_of("packets.packets.row0", "", 1), time_of("stream_tvalid", "0", 2));
}

// What is about to be taken in the first half of a cycle, but is not at its end, is withdrawn.
TEST(UserTransactions, RowsOfHandshakesThatDoNotComeAreWithdrawn) {
  const ChildResult child = in_child([&]() -> std::string {
    axi::BurstStreams bursts("b", 1);
    axi::PacketStreams packets("p", 1);
    const auto texts = [] {
      std::string out;
      for (const UserSignal& s : user_signals()) {
        if (s.text != nullptr) out += "[" + *s.text + "]";
      }
      return out;
    };
    const axi::Address address{3, 0x40, 1, 8, axi::Burst::incr};
    const axi::PacketStreams::Beat beat{1, 2, true};
    bursts.expect(false, address);
    packets.expect(beat);
    std::string out = texts();
    bursts.request(false, std::nullopt);
    packets.edge(std::nullopt);
    out += " " + texts();
    bursts.request(false, address);  // comes in the second half
    packets.edge(beat);
    out += " " + texts();
    bursts.answer(false, 3);
    packets.edge(std::nullopt);
    out += " " + texts();
    bursts.request(true, address);
    packets.expect(axi::PacketStreams::Beat{1, 2, false});
    out += " " + texts();
    bursts.reset();
    packets.reset();
    return out + " " + texts();
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text,
            "[id 3 0x40 INCR 1 x 8 B][][id 1 to 2: 1 beat] [][][] [id 3 0x40 INCR 1 x 8 B][][id 1 to 2: 1 beat] "
            "[][][] [][id 3 0x40 INCR 1 x 8 B][id 1 to 2: 1 beat] [][][]");
}

}  // namespace
}  // namespace weft::test

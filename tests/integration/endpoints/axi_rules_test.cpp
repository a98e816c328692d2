// What the modules at AXI4 pins do against the rules: the checker, rule by rule, and the ports that hold the modules at
// their pins to it; addresses that the pins are too narrow for; limits under back-pressure.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "integration/endpoints/axi_by_hand.h"
#include "support/child.h"

namespace weft::test {
namespace {

using namespace endpoints;
using ::testing::HasSubstr;

std::string by_hand(const std::function<std::string()>& work) {
  const ChildResult child = in_child(work);
  return child.ok ? child.text : "failed: " + child.text;
}

/// Pins of both sides for a sequence of edges, and the first violation.
struct Edges {
  axi::Checker checker{"pins", 8};
  axi::ManagerPins m;
  axi::SubordinatePins s;
  Edges() {
    m.b_ready = m.r_ready = true;
    s.aw_ready = s.w_ready = s.ar_ready = true;
  }
  Edges& edge() {
    checker.clock(m, s);
    return *this;
  }
  Edges& aw(std::uint32_t id, std::uint64_t address, std::uint32_t beats) {
    m.aw_valid = true;
    m.aw = {id, address, beats, 8};
    edge();
    m.aw_valid = false;
    return *this;
  }
  Edges& ar(std::uint32_t id, std::uint64_t address, std::uint32_t beats) {
    m.ar_valid = true;
    m.ar = {id, address, beats, 8};
    edge();
    m.ar_valid = false;
    return *this;
  }
  /// `first`: lowest lane that is written.
  Edges& w(bool last, std::size_t first = 0) {
    m.w_valid = true;
    m.w = {std::vector<unsigned char>(8, 1), std::vector<bool>(8, true)};
    for (std::size_t lane = 0; lane < first; ++lane) m.w.strobes[lane] = false;
    m.w_last = last;
    edge();
    m.w_valid = false;
    return *this;
  }
  Edges& b(std::uint32_t id) {
    s.b_valid = true;
    s.b_id = id;
    edge();
    s.b_valid = false;
    return *this;
  }
  Edges& r(std::uint32_t id, bool last) {
    s.r_valid = true;
    s.r_id = id;
    s.r_bytes.assign(8, 1);
    s.r_last = last;
    edge();
    s.r_valid = false;
    return *this;
  }
  const std::string& first() const { return checker.first; }
};

TEST(AxiChecker, NamesTheRuleTheEdgeAndTheBurst) {
  EXPECT_EQ(Edges().aw(3, 0x100, 2).w(false).w(true).b(3).ar(1, 0x40, 2).r(1, false).r(1, true).first(), "");
  EXPECT_EQ(Edges().w(true).aw(3, 0x100, 1).b(3).first(), "");
  EXPECT_EQ(Edges().b(3).first(), "pins, edge 1: B with ID 3, of which no write is under way");
  EXPECT_EQ(Edges().aw(3, 0x100, 2).w(false).b(3).first(),
            "pins, edge 3: B before the last W of its burst is taken (ID 3 at 0x100)");
  EXPECT_EQ(Edges().aw(3, 0x100, 2).w(true).first(), "pins, edge 2: WLAST is set (ID 3 at 0x100, beat 1 of 2)");
  EXPECT_EQ(Edges().aw(3, 0x100, 1).w(false).first(), "pins, edge 2: WLAST is missing (ID 3 at 0x100, beat 1 of 1)");
  EXPECT_EQ(Edges().r(2, true).first(), "pins, edge 1: R with ID 2, of which no read is under way");
  EXPECT_EQ(Edges().ar(2, 0x40, 2).r(2, true).first(), "pins, edge 2: RLAST is set (ID 2 at 0x40, beat 1 of 2)");
  EXPECT_EQ(Edges().ar(2, 0x40, 1).r(2, false).first(), "pins, edge 2: RLAST is missing (ID 2 at 0x40, beat 1 of 1)");
  EXPECT_EQ(Edges().ar(2, 0xff8, 2).first(),
            "pins, edge 1: AR with ID 2 at 0xff8: burst from 0xff8 to 0x1007 crosses a boundary of 4 KiB");
  EXPECT_THAT(Edges().aw(2, 0xff8, 2).first(), HasSubstr("AW with ID 2 at 0xff8"));
}

// A3.4.3: lanes are written only where the beat has bytes, in narrow beats and below an address that is not aligned.
TEST(AxiChecker, StrobesAreOfBytesOfTheBeat) {
  EXPECT_EQ(Edges().aw(3, 0x103, 2).w(false, 3).w(true).b(3).first(), "");
  EXPECT_EQ(Edges().aw(3, 0x103, 2).w(false, 4).w(true, 7).b(3).first(), "");
  EXPECT_EQ(Edges().aw(3, 0x103, 2).w(false, 2).first(),
            "pins, edge 2: WSTRB of lane 2 is set, the beat has lanes 3 to 7 (ID 3 at 0x103, beat 1 of 2)");
  EXPECT_EQ(Edges().w(false, 2).aw(3, 0x103, 2).first(),
            "pins, edge 2: WSTRB of lane 2 is set, the beat has lanes 3 to 7 (ID 3 at 0x103, beat 1 of 2)");
  Edges narrow;
  narrow.m.aw_valid = true;
  narrow.m.aw = {1, 0x102, 2, 2};
  narrow.edge();
  narrow.m.aw_valid = false;
  EXPECT_EQ(narrow.w(false, 2).first(),
            "pins, edge 2: WSTRB of lane 4 is set, the beat has lanes 2 to 3 (ID 1 at 0x102, beat 1 of 2)");
}

TEST(AxiChecker, WhatIsValidStays) {
  const auto blocked = [] {
    Edges e;
    e.ar(2, 0x40, 2).aw(3, 0x100, 2).w(false).w(true);
    e.s.aw_ready = e.s.w_ready = e.s.ar_ready = false;
    e.m.b_ready = e.m.r_ready = false;
    return e;
  };
  EXPECT_EQ(blocked().aw(1, 0x80, 1).edge().first(),
            "pins, edge 6: AWVALID is withdrawn before AWREADY (ID 1 at 0x80)");
  EXPECT_EQ(blocked().aw(1, 0x80, 1).aw(1, 0x88, 1).first(), "pins, edge 6: AW changes before AWREADY (ID 1 at 0x80)");
  EXPECT_EQ(blocked().ar(1, 0x80, 1).ar(1, 0x80, 2).first(), "pins, edge 6: AR changes before ARREADY (ID 1 at 0x80)");
  EXPECT_EQ(blocked().w(true).w(false).first(), "pins, edge 6: W changes before WREADY (beat 1 before its AW)");
  EXPECT_EQ(blocked().b(3).edge().first(), "pins, edge 6: BVALID is withdrawn before BREADY (ID 3)");
  EXPECT_EQ(blocked().r(2, false).r(2, true).first(),
            "pins, edge 6: R changes before RREADY (ID 2 at 0x40, beat 1 of 2)");
  EXPECT_EQ(blocked().r(2, false).r(2, false).b(3).first(),
            "pins, edge 7: RVALID is withdrawn before RREADY (ID 2 at "
            "0x40, beat 1 of 2)");
}

// A B that came too early was that of its burst: the next one of this ID needs data of its own.
TEST(AxiChecker, GoesOnBehindAViolation) {
  Edges e;
  e.aw(3, 0x100, 2).w(false).b(3);
  EXPECT_EQ(e.checker.b(), axi::Checker::Answer::early);
  EXPECT_EQ(e.checker.open(), 1U);
  e.w(true);
  EXPECT_EQ(e.checker.open(), 0U);
  e.b(3);
  EXPECT_EQ(e.checker.b(), axi::Checker::Answer::unasked);
  e.aw(3, 0x200, 1).w(true).b(3);
  EXPECT_EQ(e.checker.b(), axi::Checker::Answer::due);
  EXPECT_EQ(e.checker.violations, 2U);
  e.ar(1, 0x40, 1);
  e.checker.reset();
  EXPECT_EQ(e.checker.open(), 0U);
}

TEST(AxiRules, AModuleBesideThePins) {
  EXPECT_EQ(by_hand([]() -> std::string {
              using Pins = axi::Signals<32, 64, 2>;
              catch_reports();
              sc_core::sc_clock clock("clock", 10, sc_core::SC_NS);
              sc_core::sc_signal<bool> running("running", false);
              Pins pins("pins");
              axi::CheckerPort<32, 64, 2> checker("checker", pins);
              checker.clk(clock);
              checker.rst_n(running);
              axi::ManagerPins m;
              m.aw_valid = true;
              pins.drive(m);
              sc_core::sc_start(15, sc_core::SC_NS);  // edges 0 and 1, in reset
              m.aw_valid = false;
              pins.drive(m);
              running = true;
              sc_core::sc_start(10, sc_core::SC_NS);
              axi::SubordinatePins s;
              s.b_valid = true;
              s.b_id = 2;
              pins.drive(s);
              sc_core::sc_start(10, sc_core::SC_NS);
              return fmt::format("{}; {}", lines_of(all_reports()), checker.rules.violations);
            }),
            "checker, cycle 3: B with ID 2, of which no write is under way; 1");
}

// READY is low at the first edge behind a reset.
TEST(AxiRules, AManagerIsHeldToThem) {
  EXPECT_EQ(by_hand([] {
              ManagerByHand h(1);
              h.running = false;
              h.steps(2);
              h.running = true;
              h.read(1, 0x100, 1);
              h.write(2, 0x300, 1);
              h.step();
              h.m.aw_valid = false;
              h.m.ar.address = 0x180;
              h.step();
              return lines_of(all_reports());
            }),
            "port, cycle 4: AWVALID is withdrawn before AWREADY (ID 2 at 0x300)\n"
            "port, cycle 4: AR changes before ARREADY (ID 1 at 0x100)");
  EXPECT_EQ(by_hand([] {
              ManagerByHand h(1);
              ByteMemory memory("memory", 4096);
              h.network.node(1).target_side.bind(memory.socket);
              h.network.map(0, 4096, 1);
              h.write(2, 0x300, 2);
              h.data(1, true);
              h.step();
              h.data(2, true);
              h.read(1, 0xff8, 2);
              h.steps(20);
              return lines_of(all_reports()) + "\n" + h.heard;
            }),
            "port, cycle 1: WLAST is set (ID 2 at 0x300, beat 1 of 2)\n"
            "port, cycle 2: AR with ID 1 at 0xff8: burst from 0xff8 to 0x1007 crosses a boundary of 4 KiB\n"
            "AW 1, W 1, W 2, AR 2, R1:2:00 4, R1:2:00. 5, B2:0 8");
}

// A write with a lane outside its beats does not reach the network; the next one does.
TEST(AxiRules, AWriteWithStrayStrobesIsAnsweredWithAnError) {
  EXPECT_EQ(by_hand([] {
              ManagerByHand h(1);
              ByteMemory memory("memory", 4096);
              h.network.node(1).target_side.bind(memory.socket);
              h.network.map(0, 4096, 1);
              h.write(2, 0x303, 1);
              h.data(1, true);
              h.steps(12);
              const int before = memory.writes;
              h.write(1, 0x300, 1);
              h.data(2, true);
              h.steps(12);
              return fmt::format("{}\n{}; {} and {} writes", lines_of(all_reports()), h.heard, before, memory.writes);
            }),
            "port, cycle 1: WSTRB of lane 0 is set, the beat has lanes 3 to 7 (ID 2 at 0x303, beat 1 of 1)\n"
            "AW 1, W 1, B2:2 3, AW 13, W 13, B1:0 19; 0 and 1 writes");
}

TEST(AxiRules, ASubordinateIsHeldToThem) {
  EXPECT_EQ(by_hand([] {
              SubordinateByHand<32> h;
              h.s.ar_ready = true;
              h.accesses.start(false, 0x200, 16);
              h.steps(3);
              h.r(3, true);
              h.step();
              h.r(0, true);
              h.steps(2);
              h.s.r_valid = false;
              h.step();
              return fmt::format("{}\n{}\n{}", lines_of(all_reports()), h.heard, h.accesses.responses());
            }),
            "port, cycle 4: R with ID 3, of which no read is under way\n"
            "port, cycle 5: RLAST is set (ID 0 at 0x200, beat 1 of 2)\n"
            "AR0:200 2\nTLM_OK_RESPONSE");
}

TEST(AxiRules, AnAnswerToAWriteWhoseDataAreNotThereIsAnError) {
  EXPECT_EQ(by_hand([] {
              SubordinateByHand<32> h;
              h.s.aw_ready = true;
              h.accesses.start(true, 0x100, 16);
              h.steps(2);
              h.b(0);
              h.step();
              h.s.b_valid = false;
              h.s.w_ready = true;
              h.steps(4);
              return fmt::format("{}\n{}\n{}", lines_of(all_reports()), h.heard, h.accesses.responses());
            }),
            "port, cycle 3: B before the last W of its burst is taken (ID 0 at 0x100)\n"
            "AW0:100 2, W 4, WLAST 5\nTLM_GENERIC_ERROR_RESPONSE");
}

// The second one goes beyond the pins with its last bytes, the third one ends with them.
TEST(AxiWidths, AnAddressBeyondThePinsIsAnAddressError) {
  EXPECT_EQ(by_hand([] {
              SubordinateByHand<16> h;
              h.accesses.start(true, 0x12340);
              h.accesses.start(false, 0xfffc);
              h.accesses.start(false, 0xfff8);
              h.serve(6);
              tlm::tlm_generic_payload debug;
              unsigned char byte = 0;
              debug.set_address(0x12340);
              debug.set_data_ptr(&byte);
              debug.set_data_length(1);
              return fmt::format("{}\n{}\n{}\n{} bytes", lines_of(all_reports()), h.heard, h.accesses.responses(),
                                 h.accesses.socket->transport_dbg(debug));
            }),
            "port, cycle 0: write of 8 bytes at 0x12340 goes beyond the 16 bits of the address pins\n"
            "port, cycle 0: read of 8 bytes at 0xfffc goes beyond the 16 bits of the address pins\n"
            "AR0:fff8 2\n"
            "TLM_ADDRESS_ERROR_RESPONSE, TLM_ADDRESS_ERROR_RESPONSE, TLM_OK_RESPONSE\n0 bytes");
}

TEST(AxiWidths, AManagerGetsDecerr) {
  EXPECT_EQ(by_hand([] {
              ManagerByHand h(1);
              axi::Signals<32, 64, 2> memory("memory");
              axi::ManagerPort<32, 64, 2> behind("behind", memory);
              behind.clk(h.clock);
              behind.rst_n(h.running);
              h.network.node(1).configure({.approximately_timed = true});
              h.network.node(1).target_side.bind(behind.socket);
              h.network.map(0, 0x200000000, 1);
              h.write(1, 0x100000040, 1);
              h.data(1, true);
              bool seen = false;
              for (int i = 0; i < 20; ++i) {
                h.step();
                seen = seen || memory.awvalid.read() || memory.wvalid.read();
              }
              return fmt::format("{}\n{}\n{}", lines_of(all_reports()), h.heard, seen);
            }),
            "behind, cycle 3: write of 8 bytes at 0x100000040 goes beyond the 32 bits of the address pins\n"
            "AW 1, W 1, B1:3 7\nfalse");
}

// A burst is under way until the manager has taken its answer, however long that waits on the pins.
TEST(AxiLimits, CountBurstsUntilTheirAnswersAreTaken) {
  EXPECT_EQ(by_hand([] {
              ManagerByHand h(1, {1, 1});
              ByteMemory memory("memory", 4096);
              h.network.node(1).target_side.bind(memory.socket);
              h.network.map(0, 4096, 1);
              h.m.b_ready = h.m.r_ready = false;
              h.read(1, 0x100, 1);
              h.write(2, 0x200, 1);
              h.data(5, true);
              h.step();
              h.read(1, 0x200, 1);
              h.write(2, 0x300, 1);
              h.steps(19);
              h.m.b_ready = h.m.r_ready = true;
              h.steps(3);
              return h.heard + lines_of(all_reports());
            }),
            "AW 1, W 1, AR 1, B2:0 21, R1:0:00. 21, AW 22, AR 22");
}

}  // namespace
}  // namespace weft::test

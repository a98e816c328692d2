// AXI4 and AXI4-Stream ports in reset while something is under way (docs/axi.md, "Reset").

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "integration/endpoints/axi_by_hand.h"
#include "support/child.h"
#include "workload/axi/axi_stream_receiver.h"
#include "workload/axi/axi_stream_transmitter.h"

namespace weft::test {
namespace {

using namespace endpoints;

std::string in_reset(const std::function<std::string()>& work) {
  const ChildResult child = in_child(work);
  return child.ok ? child.text : "failed: " + child.text;
}

// Two reads are in the network, a write has half its data. Behind the reset the same IDs are used for others; the
// limit of two bursts counts only these.
TEST(AxiReset, AManagerGetsOnlyAnswersToWhatItHasAskedForSince) {
  EXPECT_EQ(in_reset([] {
              ManagerByHand h(40, {2, 2});
              ByteMemory memory("memory", 4096);
              h.network.node(1).target_side.bind(memory.socket);
              h.network.map(0, 4096, 1);
              h.read(1, 0x100, 4);
              h.step();
              h.read(1, 0x200, 1);
              h.step();
              h.write(2, 0x300, 2);
              h.data(0xaa, false);
              h.steps(11);
              h.running = false;
              h.steps(3);
              h.running = true;
              h.step();
              h.read(1, 0x438, 2);
              h.step();
              h.read(1, 0x450, 1);
              h.step();
              h.write(3, 0x300, 1);
              h.data(0x77, true);
              h.steps(120);
              return fmt::format("{}; dropped {}, writes {}, byte {:x}, open {}, {}{}", h.heard, h.port.dropped,
                                 memory.writes, memory.bytes[0x300], h.rules.open(), h.rules.first,
                                 lines_of(all_reports()));
            }),
            "AR 1, AR 2, AW 3, W 3, AR 18, AR 19, AW 20, W 20, R1:0:38 102, R1:0:40. 103, B3:0 104, R1:0:50. 104; "
            "dropped 2, writes 1, byte 77, open 0, ");
}

// An answer that waits on the pins, and one behind it.
TEST(AxiReset, AnswersOnThePinsAreDropped) {
  EXPECT_EQ(in_reset([] {
              ManagerByHand h(1);
              ByteMemory memory("memory", 4096);
              h.network.node(1).target_side.bind(memory.socket);
              h.network.map(0, 4096, 1);
              h.m.r_ready = h.m.b_ready = false;
              h.read(1, 0x100, 2);
              h.write(2, 0x200, 1);
              h.data(1, true);
              h.step();
              h.read(1, 0x200, 1);
              h.steps(20);
              h.running = false;
              h.step();
              const bool low = !h.pins.rvalid.read() && !h.pins.bvalid.read() && !h.pins.arready.read();
              h.running = true;
              h.m.r_ready = h.m.b_ready = true;
              h.steps(2);
              h.read(1, 0x308, 1);
              h.steps(20);
              return fmt::format("{}; dropped {}, pins {}, {}{}", h.heard, h.port.dropped, low ? "low" : "high",
                                 h.rules.first, lines_of(all_reports()));
            }),
            "AW 1, W 1, AR 1, AR 2, AR 25, R1:0:08. 31; dropped 3, pins low, ");
}

// On the pins are the first write and the first read. The second read waits for ARREADY, the third one for the first
// write, and the second write for the data of the first.
TEST(AxiReset, TransactionsOnThePinsEndWithAnErrorOthersWait) {
  EXPECT_EQ(in_reset([] {
              SubordinateByHand<32> h;
              h.accesses.start(true, 0x100, 32);
              h.accesses.start(false, 0x200);
              h.accesses.start(false, 0x300);
              h.accesses.start(false, 0x100);
              h.accesses.start(true, 0x400);
              h.steps(6);
              h.running = false;
              h.step();
              const std::string at_once = h.accesses.responses();
              const bool low = !h.pins.awvalid.read() && !h.pins.wvalid.read() && !h.pins.arvalid.read();
              h.steps(2);
              h.running = true;
              h.serve(10);
              return fmt::format("{}\n{}\n{}\n{} broken off, pins {}{}", at_once, h.accesses.responses(), h.heard,
                                 h.port.broken_off, low ? "low" : "high", lines_of(all_reports()));
            }),
            "TLM_GENERIC_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE, none, none, none\n"
            "TLM_GENERIC_ERROR_RESPONSE, TLM_GENERIC_ERROR_RESPONSE, TLM_OK_RESPONSE, TLM_OK_RESPONSE, "
            "TLM_OK_RESPONSE\n"
            "AW0:400 11, WLAST 11, AR3:300 11, AR1:100 12\n2 broken off, pins low");
}

/// A transmitter at node 0, a receiver at node 1, each with a reset of its own.
struct StreamByHand {
  explicit StreamByHand(std::uint32_t packet)
      : design(design_of(std::string("fabric: ideal\nideal: { nodes: 2, latency: 3cycles }\n") + kLevels)),
        plan(design->plan()),
        network("network", *plan, {0, 1}),
        cycle(network.fabric().domain().period_time()),
        clock("clock", cycle),
        receiver("receiver", from, {0, 4096, packet, 16}) {
    catch_reports();
    network.map(0, 16 * 4096, 1);
    network.node(1).configure({.approximately_timed = true});
    receiver.clk(clock);
    receiver.rst_n(from_running);
    transmitter.clk(clock);
    transmitter.rst_n(to_running);
    receiver.socket.bind(network.node(0).initiator_side);
    network.node(1).target_side.bind(transmitter.socket);
  }
  void step() {
    if (edge == 0) sc_core::sc_start(cycle / 2);
    if (edge == 0) edge = 1;
    from.drive(p);
    to.drive(ready);
    sc_core::sc_start(cycle / 4);
    if (from_running.read() && p.valid && from.tready.read()) p.valid = false;
    const axi::StreamPins out = to.transmitter();
    if (to_running.read() && out.valid && ready) {
      heard += heard.empty() ? "" : " ";
      heard += out.keep[0] ? fmt::format("{}:{}", out.id, out.bytes[0]) : fmt::format("{}:-", out.id);
      heard += out.last ? "." : "";
    }
    sc_core::sc_start(cycle - cycle / 4);
    ++edge;
  }
  void steps(int count) {
    for (int i = 0; i < count; ++i) step();
  }
  void beat(std::uint32_t id, unsigned char value, bool last) {
    p = {true, std::vector<unsigned char>(8, value), std::vector<bool>(8, true), std::vector<bool>(8, true), last, id,
         2};
    step();
  }

  std::unique_ptr<Design> design;
  std::unique_ptr<Plan> plan;
  TlmSystem network;
  sc_core::sc_time cycle;
  sc_core::sc_clock clock;
  sc_core::sc_signal<bool> from_running{"from_running", true};
  sc_core::sc_signal<bool> to_running{"to_running", true};
  axi::StreamSignals<64, 4, 4> from{"from"};
  axi::StreamSignals<64, 2, 4> to{"to"};
  axi::StreamReceiverPort<64, 4, 4> receiver;
  axi::StreamTransmitterPort<64, 2, 4> transmitter{"transmitter", to};
  axi::StreamPins p;
  bool ready = true;
  std::string heard;
  int edge = 0;
};

// Of the first packet a piece of two beats has gone, of the second one nothing.
TEST(AxiStreamReset, PacketsWithoutTheirEndAreForgotten) {
  EXPECT_EQ(in_reset([] {
              StreamByHand h(16);
              h.beat(1, 11, false);
              h.beat(1, 12, false);
              h.beat(1, 13, false);
              h.beat(2, 21, false);
              h.beat(3, 31, true);
              h.from_running = false;
              h.steps(2);
              h.from_running = true;
              h.step();
              h.beat(1, 14, true);
              h.beat(2, 22, true);
              h.steps(30);
              return h.heard + lines_of(all_reports());
            }),
            "1:11 1:12 3:31. 1:-. 1:14. 2:22.");
}

// The receiver has seen the first beat of a packet of three pieces: it sees no more of it.
TEST(AxiStreamReset, ThePacketOnThePinsEndsWithAnError) {
  EXPECT_EQ(in_reset([] {
              StreamByHand h(8);
              h.ready = false;
              h.beat(1, 11, false);
              h.beat(1, 12, false);
              h.beat(1, 13, true);
              h.beat(1, 14, true);
              h.steps(20);
              h.ready = true;
              h.step();
              h.ready = false;
              h.steps(3);
              h.to_running = false;
              h.steps(2);
              h.to_running = true;
              h.ready = true;
              h.steps(30);
              return fmt::format("{}; broken off {}, lost {}", h.heard, h.transmitter.broken_off, h.receiver.lost);
            }),
            "1:11 1:14.; broken off 2, lost 2");
}

TEST(AxiStreamRules, TheTransmitterIsHeldToThem) {
  EXPECT_EQ(in_reset([] {
              StreamByHand h(16);
              h.from_running = false;
              h.steps(2);
              h.from_running = true;
              h.beat(1, 11, true);
              h.p.valid = false;
              h.step();
              h.beat(1, 12, false);
              h.p = {true, std::vector<unsigned char>(8, 1), std::vector<bool>(8), std::vector<bool>(8, true), true, 1,
                     2};
              h.step();
              return lines_of(all_reports());
            }),
            "receiver, cycle 4: TVALID is withdrawn before TREADY (TID 1 to TDEST 2)\n"
            "receiver, cycle 6: TSTRB of byte 0 without its TKEEP (TID 1 to TDEST 2)");
}

TEST(AxiStreamWidths, ATidWithMoreBitsThanThePinsIsAnError) {
  EXPECT_EQ(
      in_reset([] {
        StreamByHand h(16);
        h.beat(5, 51, true);
        h.beat(3, 31, true);
        h.steps(30);
        return fmt::format("{}; lost {}\n{}", h.heard, h.receiver.lost, lines_of(all_reports()));
      }),
      "3:31.; lost 1\n"
      "transmitter, cycle 6: packet of 8 bytes with TID 5 to TDEST 2: the pins have 2 bits of TID and 4 of TDEST\n"
      "receiver, cycle 10: packet of 8 bytes with TID 5 to TDEST 2 (address 0x2000): TLM_ADDRESS_ERROR_RESPONSE");
}

}  // namespace
}  // namespace weft::test

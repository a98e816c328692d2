// Routers in RTL in input-queued networks: the same report as with models, lockstep that stops in the right cycle, RTL
// that breaks the rules of links, and what is refused. A faulty copy is made by tests/CMakeLists.txt.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <regex>

#include "Viq_router_wrong_bit.h"
#include "cosim/packet/packet_rtl.h"
#include "cosim/packet/verilated_iq_router.h"
#include "run/packet/packet_family.h"
#include "support/neutral_report.h"
#include "support/packet_runs.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A cycle is 1 ns. Buffers of 8 flits; packets of 1 and of 10.
std::string network(const std::string& topology, const std::string& iq, const std::string& more = "") {
  return "fabric: packet\ntopology: " + topology + "\nlink: { rate: 512Gb/s, flit: 64B }\n" +
         "switch: { architecture: iq, iq: { buffer: 512B, " + iq + " } }\n" +
         "qos: { levels: { short: { message: 64B }, long: { message: 640B } } }\n" +
         "traffic: [ { level: short, load: 0.15 }, { level: long, load: 0.25, source: bursts } ]\n" +
         "run: { warm_up: 200ns, measure: 1500ns, drain: 20us }\nobserve: { message_log: true }\n" + more;
}

const Overrides kRtl{"switch.iq.router={implementation: rtl}"};
const Overrides kLockstep{"switch.iq.router={implementation: lockstep}"};

void expect_same(const std::string& yaml, const std::vector<Overrides>& mixes, const Overrides& all = {}) {
  const PacketOutcome model = run_packet_yaml(yaml, all);
  ASSERT_EQ(model.error + model.failure, "");
  EXPECT_GT(model.figure("delivered"), 100);
  for (Overrides mix : mixes) {
    mix.insert(mix.end(), all.begin(), all.end());
    const std::string which = fmt::format("{}", fmt::join(mix, " "));
    const PacketOutcome other = run_packet_yaml(yaml, mix);
    ASSERT_EQ(other.error + other.failure, "") << which;
    EXPECT_NE(other.report["implementation"], model.report["implementation"]) << which;
    EXPECT_TRUE(neutral_report(other.text) == neutral_report(model.text)) << which;
    EXPECT_TRUE(other.messages == model.messages) << which;
  }
}

const std::string kMesh = network("{ kind: mesh, dims: [4, 4] }", "vcs: 2");

TEST(IqRtlRouters, AMeshOfThemIsTheMeshOfModels) {
  expect_same(kMesh, {kRtl,
                      kLockstep,
                      {"switch.iq.instances={'sw[5]': {router: {implementation: rtl}}}"},
                      {"switch.iq.instances={'sw[0..7]': {router: {implementation: rtl}}, "
                       "'sw[4..10]': {router: {implementation: lockstep}}}"}});
}

// Dateline classes; the RTL has more VCs than the network.
TEST(IqRtlRouters, SoIsATorusWithLaneClasses) {
  const std::string dateline = "routing: { ring: dateline }\n";
  expect_same(network("{ kind: torus, dims: [4, 3] }", "vcs: 4", dateline), {kRtl, kLockstep});
  expect_same(network("{ kind: torus, dims: [5] }", "vcs: 2", dateline), {kRtl, kLockstep});
}

TEST(IqRtlRouters, SoAreIslipAndFewerVcsThanTheRtlHas) {
  expect_same(network("{ kind: mesh, dims: [3, 3] }", "vcs: 4, allocator: islip"), {kRtl, kLockstep});
  expect_same(network("{ kind: mesh, dims: [3, 3] }", "vcs: 3, allocator: islip"), {kRtl, kLockstep});
  expect_same(network("{ kind: mesh, dims: [3, 3] }", "vcs: 1"), {kRtl, kLockstep});
}

// Stages that the compiled RTL does not have are around it; links, credits and adapters of some cycles, a run that ends
// with packets under way.
TEST(IqRtlRouters, SoAreOtherStagesLinksAndRunsThatEndEarly) {
  const std::string stages = "vcs: 2, stages: { buffer_write: 2cycles, switch_allocation: 0cycles, crossbar: 3cycles }";
  expect_same(network("{ kind: mesh, dims: [3, 3] }", stages, "adapters: [ { at: 'sw[1]-sw[4]', delay: 3cycles } ]\n"),
              {kRtl, kLockstep}, {"link.delay=3cycles", "link.credit_delay=2cycles"});
  expect_same(kMesh, {kRtl, kLockstep},
              {"traffic.1.load=0.8", "run.measure=700ns", "run.drain=0ns", "run.settle=false"});
  expect_same(kMesh, {kRtl, kLockstep},
              {"switch.iq.stages={switch_allocation: 0cycles, crossbar: 0cycles}", "traffic.0.load=0.01"});
}

TEST(IqRtlRouters, TheOrderOfModulesDoesNotMatter) {
  const PacketOutcome plain = run_packet_yaml(kMesh);
  for (const Overrides& mix : {kRtl, kLockstep}) {
    const PacketOutcome shuffled = run_packet_yaml(kMesh, mix, [](PacketRunOptions& o) { o.shuffle_seed = 7; });
    ASSERT_EQ(shuffled.error + shuffled.failure, "");
    EXPECT_TRUE(neutral_report(shuffled.text) == neutral_report(plain.text));
  }
}

// A router holds a flit at least in the cycle in which it grants it the switch.
TEST(IqRtlRouters, TheReportSaysWhatWasCompared) {
  const PacketOutcome run =
      run_packet_yaml(kMesh, {"switch.iq.instances={'sw[5..6]': {router: {implementation: lockstep}}}"});
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(run.report["implementation"], "input-queued routers: model; sw[5..6]: lockstep");
  ASSERT_EQ(run.lines("lockstep"), 1U);
  EXPECT_EQ(run.cell("lockstep", 0, "block"), "iq_router");
  EXPECT_EQ(run.cell("lockstep", 0, "pairs"), 2);
  std::uint64_t flits = 0;
  for (const auto& row : run.report["tables"]["links"]["rows"]) {
    if (row["link"].get<std::string>().starts_with("sw[5].port1 ")) flits += row["flits"].get<std::uint64_t>();
  }
  EXPECT_GT(flits, 100U);
  EXPECT_GE(run.cell("lockstep", 0, "cycles_compared").get<std::uint64_t>(), flits);
  EXPECT_GT(run.cell("lockstep", 0, "pins_toggled").get<double>(), 90.0);
}

// First hop out of a port, as observers of the network of models are told.
Cycle first_hop(const std::string& yaml, SwitchId sw, PortId port) {
  struct Hops final : PacketObserver {
    bool wants_hops() const override { return true; }
    void on_hop(SwitchId at, PortId out, const PacketMessage&, Cycle first) override {
      if (at == which && out == by && (cycle < 0 || first < cycle)) cycle = first;
    }
    SwitchId which = 0;
    PortId by = 0;
    Cycle cycle = -1;
  };
  static Hops hops;
  hops.which = sw;
  hops.by = port;
  const PacketOutcome run = run_packet_yaml(
      yaml, {}, [](PacketRunOptions& o) { o.observers.push_back(&hops); }, [] { return std::to_string(hops.cycle); });
  return std::stoll(run.noted);
}

constexpr const char* kSwitch5 = "switch.iq.instances={{'sw[5]': {{router: {{implementation: {}}}}}}}";

PacketRtlBlocks with_router(decltype(IqRouterBlock::make) make) {
  PacketRtlBlocks blocks;
  blocks.iq_router.builtin.make = std::move(make);
  return blocks;
}

// The faulty copy inverts the lowest bit of what leaves by output 2. A flit is at the pins of the RTL, which has no
// output stages, when it is granted the switch: two cycles before it is on the link.
TEST(IqRtlRouters, LockstepStopsInTheCycleInWhichAFaultShows) {
  const Cycle cycle = first_hop(kMesh, 5, 2) - 2;
  ASSERT_GT(cycle, 0);
  const PacketRtlBlocks faulty =
      with_router([](VerilatedContext& context, const IqRouterRtlSize&, const std::string& name) {
        return std::make_unique<VerilatedIqRouter<Viq_router_wrong_bit, kIqRouter2>>(context, name);
      });
  const PacketOutcome run = run_packet_yaml(kMesh, {fmt::format(kSwitch5, "lockstep")}, {}, {}, faulty);
  EXPECT_THAT(run.failure,
              AllOf(HasSubstr(fmt::format("lockstep difference in packet.router[5] at {} ns (cycle {})\n  "
                                          "inputs:",
                                          cycle, cycle)),
                    HasSubstr("\n  model shows\n"), HasSubstr("\n  rtl shows\n"), HasSubstr("    out[2]: VC ")));
  // Alone it sends a flit that nobody knows.
  const PacketOutcome alone = run_packet_yaml(kMesh, {fmt::format(kSwitch5, "rtl")}, {}, {}, faulty);
  EXPECT_THAT(alone.failure,
              AllOf(HasSubstr(fmt::format("the RTL of packet.router[5] at {} ns (cycle {}) sends a flit by "
                                          "output 2 VC ",
                                          cycle, cycle)),
                    HasSubstr("that it does not hold: data ")));
}

// The inputs that the message names stand in the waveform, in the cycle in which the pair differs.
TEST(IqRtlRouters, WavesHaveTheInputsOfTheCycleThatDiffers) {
  const ScratchFolder folder;
  const PacketOutcome run = run_packet_yaml(
      kMesh, {fmt::format(kSwitch5, "lockstep")},
      [&](PacketRunOptions& options) { options.waves = folder.path("w.fst"); }, {},
      with_router([](VerilatedContext& context, const IqRouterRtlSize&, const std::string& name) {
        return std::make_unique<VerilatedIqRouter<Viq_router_wrong_bit, kIqRouter2>>(context, name);
      }));
  std::smatch found;
  ASSERT_TRUE(std::regex_search(run.failure, found, std::regex("lockstep difference .*cycle ([0-9]+)")))
      << run.failure << run.error;
  const std::uint64_t time = std::stoull(found[1]) * 1000;
  std::uint64_t valid = 0;
  const std::string inputs = run.failure.substr(0, run.failure.find("model shows"));
  const std::regex flit("\\n    in\\[([0-9])\\]: VC");
  for (std::sregex_iterator it(inputs.begin(), inputs.end(), flit), end; it != end; ++it) {
    valid |= std::uint64_t{1} << std::stoul((*it)[1]);
  }
  ASSERT_NE(valid, 0U) << run.failure;
  const Vcd vcd = read_fst(folder.path("w.fst"));
  EXPECT_EQ(vcd.signal("packet.router[5].iq_router_rtl.iq_router.flit_valid_i").number_at(time), valid);
  EXPECT_EQ(vcd.last_time(), time + 1000);
}

/// Weft's RTL, of which a test changes the outputs.
class Changed final : public IqRouterRtl {
 public:
  using Change = std::function<bool(const IqRouterInputs&, IqRouterOutputs&)>;  // true: done
  Changed(std::unique_ptr<IqRouterRtl> rtl, Change change) : rtl_(std::move(rtl)), change_(std::move(change)) {}
  void stand(RtlSite site) override { rtl_->stand(std::move(site)); }
  void trace(WaveFile& file) override { rtl_->trace(file); }
  void settle() override { rtl_->settle(); }
  void show_cycle() override { rtl_->show_cycle(); }
  void show_half() override { rtl_->show_half(); }
  const IqRouterOutputs& drive(const IqRouterInputs& inputs) override {
    outputs_ = rtl_->drive(inputs);
    if (!done_) done_ = change_(inputs, outputs_);
    return outputs_;
  }
  void end_cycle() override { rtl_->end_cycle(); }

 private:
  std::unique_ptr<IqRouterRtl> rtl_;
  Change change_;
  IqRouterOutputs outputs_;
  bool done_ = false;
};

// What the run says when router 5 of the mesh shows other outputs once.
std::string said_of(const Changed::Change& change, const std::string& implementation = "rtl") {
  const PacketOutcome run =
      run_packet_yaml(kMesh, {fmt::format(kSwitch5, implementation)}, {}, {},
                      with_router([&](VerilatedContext& context, const IqRouterRtlSize& size, const std::string& name) {
                        return std::make_unique<Changed>(make_iq_router_rtl(context, size, name), change);
                      }));
  return run.error + run.failure;
}

/// Changes the first flit for which that is possible.
Changed::Change flit(const std::function<bool(IqRouterOutputs::Flit&)>& change) {
  return [change](const IqRouterInputs&, IqRouterOutputs& out) {
    for (IqRouterOutputs::Flit& f : out.flits) {
      if (f.valid && change(f)) return true;
    }
    return false;
  };
}

TEST(IqRtlRouters, EveryPinIsComparedInEveryCycle) {
  const std::string difference = "lockstep difference in packet.router[5]";
  for (const auto& change : std::vector<std::function<void(IqRouterOutputs::Flit&)>>{
           [](auto& f) { f.valid = false; }, [](auto& f) { f.head = !f.head; }, [](auto& f) { f.tail = !f.tail; },
           [](auto& f) { f.vc ^= 1; }, [](auto& f) { f.word ^= 0x8000'0000; }, [](auto& f) { f.torn = true; }}) {
    EXPECT_THAT(said_of(flit([&](auto& f) {
                          change(f);
                          return true;
                        }),
                        "lockstep"),
                HasSubstr(difference));
  }
  const auto credit = [](const IqRouterInputs&, IqRouterOutputs& out) {
    out.credits[3] = {!out.credits[3].valid, 0};
    return true;
  };
  EXPECT_THAT(said_of(credit, "lockstep"), HasSubstr(difference));
  const auto idle = [](const IqRouterInputs&, IqRouterOutputs& out) {  // pins of a port without valid are 0
    if (out.flits[4].valid) return false;
    out.flits[4].vc = 1;
    return true;
  };
  EXPECT_THAT(said_of(idle, "lockstep"), AllOf(HasSubstr(difference), HasSubstr("out[4]: not valid, VC 1")));
}

TEST(IqRtlRouters, RtlThatBreaksTheRulesOfLinksIsToldSo) {
  EXPECT_THAT(said_of(flit([](auto& f) { return f.head && !f.tail && (f.tail = true); })),
              HasSubstr("sends flit 0 of 10 of a packet by output"));
  EXPECT_THAT(said_of(flit([](auto& f) { return !f.head && (f.vc ^= 1, true); })),
              HasSubstr("mixes packets in output"));
  EXPECT_THAT(said_of(flit([](auto& f) { return (f.torn = true); })), HasSubstr("that it does not hold"));
  EXPECT_THAT(said_of(flit([](auto& f) { return f.word ^= 4, true; })), HasSubstr("that it does not hold"));
  EXPECT_THAT(said_of([](const IqRouterInputs&, IqRouterOutputs& out) {
                for (std::size_t p = 0; p < out.flits.size(); ++p) {
                  if (!out.flits[p].valid || out.flits[(p + 1) % 4].valid) continue;
                  std::swap(out.flits[p], out.flits[(p + 1) % 4]);
                  return true;
                }
                return false;
              }),
              HasSubstr("which is not on its hop"));
  EXPECT_THAT(said_of([](const IqRouterInputs&, IqRouterOutputs& out) {
                out.credits[0] = {true, 1};
                return true;
              }),
              HasSubstr("gives back a credit of input 0 VC 1, which holds no flit"));
  // A flit that never comes out: everything behind it waits, and the router is named.
  EXPECT_THAT(said_of([](const IqRouterInputs&, IqRouterOutputs& out) {
                for (auto& f : out.flits) {
                  if (f.valid && f.head && f.tail) {
                    f = {};
                    return true;
                  }
                }
                return false;
              }),
              AllOf(HasSubstr("packet.router[5] input"), HasSubstr("waits for a VC of output")));
}

// Nothing to do, nothing to evaluate: with little traffic most cycles of a router are left out, and those behind them
// are still right.
TEST(IqRtlRouters, SleepWhileTheyHoldNothing) {
  static std::uint64_t evaluated = 0;
  const PacketOutcome run = run_packet_yaml(
      kMesh, {fmt::format(kSwitch5, "lockstep"), "traffic.0.load=0.005", "traffic.1.load=0.001", "run.measure=20us"},
      {}, [] { return std::to_string(evaluated); },
      with_router([](VerilatedContext& context, const IqRouterRtlSize& size, const std::string& name) {
        return std::make_unique<Changed>(make_iq_router_rtl(context, size, name),
                                         [](const IqRouterInputs&, IqRouterOutputs&) {
                                           ++evaluated;
                                           return false;
                                         });
      }));
  ASSERT_EQ(run.error + run.failure, "");
  EXPECT_EQ(std::stoull(run.noted), run.cell("lockstep", 0, "cycles_compared").get<std::uint64_t>());
  EXPECT_GT(std::stoull(run.noted), 500U);
  EXPECT_LT(std::stoull(run.noted), 10'000U);
}

std::vector<std::string> errors(const Overrides& set, const std::string& yaml = kMesh) {
  return packet_platform_errors(yaml, set);
}

TEST(IqRtlRouters, WhatTheRtlCannotDoIsRefused) {
  const auto call = [](const std::string& vcs, const std::string& buffer) {
    return "; weft_add_block(router PLACE iq_router PARAMETERS Ports=5 Vcs=" + vcs +
           " Trunk=1 Width=32 Buffer=" + buffer +
           " BufferWrite=0 Routing=1 VcAllocation=1 SwitchAllocation=0 Crossbar=0 Credit=0 Islip=0 Iterations=1 "
           "WhenEmpty=0) makes a block of this size";
  };
  EXPECT_THAT(errors(kRtl), IsEmpty());
  const auto rtl = [](Overrides set) {
    set.push_back(kRtl[0]);
    return set;
  };
  EXPECT_THAT(errors(rtl({"switch.iq.buffer=1KiB"})),
              ElementsAre(AllOf(
                  HasSubstr("error: switch.iq.buffer: 16 flits per VC; the compiled RTL has 8" + call("2", "16")))));
  EXPECT_THAT(errors(rtl({"switch.iq.vcs=8"})),
              ElementsAre(HasSubstr("error: switch.iq.vcs: 8 VCs; the compiled RTL has 4" + call("8", "8"))));
  EXPECT_THAT(errors(rtl({"switch.iq.stages.routing=2cycles"})),
              ElementsAre(HasSubstr("error: switch.iq.stages.routing: 2 cycles; the compiled RTL has 1")));
  EXPECT_THAT(errors(rtl({"switch.iq.stages.vc_allocation=0cycles", "switch.iq.reuse=when_empty"})),
              ElementsAre(HasSubstr("switch.iq.stages.vc_allocation: 0 cycles; the compiled RTL has 1"),
                          HasSubstr("switch.iq.reuse: when_empty; the compiled RTL has after_tail")));
  EXPECT_THAT(errors(rtl({"switch.iq.allocator=islip", "switch.iq.iterations=3"})),
              ElementsAre(HasSubstr("switch.iq.iterations: 3 rounds of iSLIP; the compiled RTL has 1")));
  EXPECT_THAT(errors(rtl({"topology.dims=[2, 2, 2]"})),
              ElementsAre(HasSubstr("error: topology: 7 ports of a switch; the compiled RTL has 5")));
  EXPECT_THAT(errors(rtl({"faults=[{at: 'sw[1]-sw[2]', down: 2us}]"})),
              ElementsAre(HasSubstr("faults.0: routers in RTL do not know of links that fail")));
  EXPECT_THAT(errors({"switch.iq.instances={'sw[16]': {router: {implementation: rtl}}}"}),
              ElementsAre(HasSubstr("switch.iq.instances: there is no sw[16]: mesh 4x4 has sw[0] to sw[15]")));
  EXPECT_THAT(errors({"switch.iq.instances={'sw[3]': {router: {implementation: rtl, rtl: mine}}}"}),
              ElementsAre(HasSubstr("no RTL block 'mine' is registered for the input-queued router")));
}

// A block of a user has its own limits: stages that it has cannot be taken away.
TEST(IqRtlRouters, ABlockSaysWhichStagesItHas) {
  const IqRouterRtlSize size{
      .ports = 5, .vcs = 2, .buffer = 8, .buffer_write = 1, .switch_allocation = 1, .crossbar = 2};
  IqParameters p;
  std::vector<std::string> keys;
  for (const IqRouterLimit& l : iq_router_rtl_limits(size, {5, 2, p})) keys.push_back(l.key);
  EXPECT_THAT(keys, ElementsAre("routing", "stages.buffer_write", "stages.crossbar"));
  p.buffer_write = 1;
  p.crossbar = 2;
  p.switch_allocation = 1;
  EXPECT_THAT(iq_router_rtl_limits(size, {5, 1, p}), IsEmpty());
}

TEST(IqRtlRouters, AreSimulatedByOneProcess) {
  Diagnostics diagnostics;
  const PacketConfig config = parse_packet_config(kMesh, "test.yaml", ".", kRtl, diagnostics);
  const PacketPlatform platform(config);
  const PacketRunOptions options;
  EXPECT_EQ(PacketPlan(platform, options).undivided(options),
            "routers in RTL ('switch.iq') are simulated by one process");
}

}  // namespace
}  // namespace weft::test

// Adapters on chosen links of networks in which circuits come and go: what they add to requests and to words, against
// closed forms and networks whose links are all longer; order over routes of different length; failures that find words
// and messages on the longer links; the RTL.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"
#include "support/setup_runs.h"
#include "support/tdm_runs.h"

namespace weft::test {
namespace {

using nlohmann::json;

AdapterConfig link_adapter(SwitchId a, SwitchId b, Cycle delay) { return {"", {{}, false, a, a, {}, b, {}}, delay}; }
AdapterConfig node_adapter(NodeId n, Cycle delay) { return {"", {{}, true, n, n, {}, {}, {}}, delay}; }

// SetupProtocol.TimesOnAnIdleLine with adapters: a message of the protocol takes the delay of its link longer, a word
// hop S (floor((C + delay) / S) + 1), since the slot is the same at every switch.
TEST(SetupAdapters, TimesOnAnIdleLine) {
  constexpr Cycle kSlots = 8;
  constexpr std::uint32_t kSwitches = 4;
  for (const std::vector<Cycle>& delays :  // host of 0, three links, host of 3
       {std::vector<Cycle>{1, 0, 0, 0, 0}, {0, 5, 0, 0, 0}, {0, 0, 8, 0, 0}, {0, 0, 0, 0, 13}, {17, 3, 100, 7, 30}}) {
    for (const Cycle serdes : {0, 3}) {
      SetupCase c = line(kSwitches, kSlots);
      c.setup.processing = 7;
      c.tdm_switch.serdes = serdes;
      c.tdm_switch.pipeline = 2;
      c.flows = {one_message(0, 3, 3, 5)};
      const auto add = [&](const AdapterConfig& a) {
        if (a.delay > 0) c.adapters.push_back(a);
      };
      add(node_adapter(0, delays[0]));
      for (SwitchId s = 0; s < 3; ++s) add(link_adapter(s, s + 1, delays[s + 1]));
      add(node_adapter(3, delays[4]));
      const json o = setup_in_child(c);
      ASSERT_EQ(o["failure"], "");
      const json f = o["flows"][0]["circuits"][0];
      const Cycle host = 2;
      const Cycle link = 2 + serdes;
      const Cycle first_done = 5 + host + delays[0] + 7;
      EXPECT_EQ(f["requested"], 5);
      EXPECT_EQ(f["ack"], first_done + host + delays[0]);
      Cycle adapters = 0;
      for (const Cycle d : delays) adapters += d;
      EXPECT_EQ(f["accepted"], 5 + 4 * host + kSwitches * 7 + 2 * 3 * link + 2 * adapters);
      Cycle start = first_done + host + delays[0] + 1;
      Cycle asked = first_done;
      Cycle departure = 0;
      for (std::uint32_t i = 0; i < kSwitches; ++i) {
        if (i > 0) asked += link + delays[i] + 7;
        departure += kSlots * (((i == 0 ? 0 : link) + delays[i]) / kSlots + 1);
        const Cycle in_force = (asked + 1 + kSlots - 1) / kSlots * kSlots;
        start = std::max(start, in_force - departure);
      }
      const Cycle first_word = (start + kSlots - 1) / kSlots * kSlots;
      EXPECT_EQ(f["first"], first_word);
      EXPECT_EQ(o["flows"][0]["delivered_at"], first_word + 2 * kSlots + departure + 2 + delays[4]);
    }
  }
}

// A square with two routes from 0 to 3, of which that over switch 1 is 40 cycles longer. Bandwidth of the second route
// is taken, so the flow begins on one and goes on with the other; a failure does the same while words are under way.
TEST(SetupAdapters, WordsOnAShorterRouteDoNotOvertake) {
  std::uint64_t changes = 0;
  for (const SwitchId longer : {1U, 2U}) {
    for (Cycle down = 30; down < 130; down += 7) {
      SetupCase c = line(2, 4);
      c.topology = topology_config("mesh", {{"dims", std::vector<std::uint32_t>{2, 2}}});
      c.setup.routes = 2;
      c.adapters = {link_adapter(longer, 3, 40)};
      c.flows = {one_message(0, 3, 60, 0, 2)};
      Fault f;
      f.a = 0;
      f.b = 1;  // the first route of a mesh goes along the first dimension
      f.at = down;
      f.recover = down + 5;
      c.faults = {f};
      const json o = setup_in_child(c);
      ASSERT_EQ(o["failure"], "") << longer << " " << down;
      const json flow = o["flows"][0];
      EXPECT_EQ(flow["received"], 60) << longer << " " << down;
      for (const json& circuit : flow["circuits"]) changes += circuit["via"] != flow["circuits"][0]["via"] ? 1 : 0;
    }
  }
  EXPECT_GT(changes, 10U);
}

// The link of a node fails while its adapter holds words: these are lost, the failure is charged with them, and they
// come again.
TEST(SetupAdapters, AFailureTakesWhatTheLinkOfANodeHolds) {
  SetupCase c = line(2, 4);
  c.adapters = {node_adapter(0, 23)};
  c.flows = {one_message(0, 1, 100, 0, 4)};
  Fault f;
  f.a = 0;
  f.port = build_topology(c.topology).attachment(0).port;
  f.at = 120;
  f.recover = 130;
  c.faults = {f};
  const json o = setup_in_child(c);
  ASSERT_EQ(o["failure"], "");
  EXPECT_EQ(o["flows"][0]["received"], 100);
  EXPECT_EQ(o["flows"][0]["taken"][0][1], 23);  // a word per cycle, four slots of four
  EXPECT_EQ(o["flows"][0]["resent"], 23);
}

// Longer links between switches, once by adapters and once by switch.serdes, with refusals and a failure.
TEST(SetupAdapters, OnEveryLinkAreLongerLinks) {
  const std::string mesh =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nsetup: { mode: in_network, routes: 2, processing: 3cycles "
      "}\n"
      "switch: { slots: 4, pipeline: 1cycle }\npattern: uniform\nsources: { message: 300B, messages: 4 }\n"
      "faults: [ { at: 'sw[1]-sw[2]', down: 3us, up: 6us } ]\n";
  for (const int delay : {2, 21}) {
    std::string all;
    for (const char* link : {"0]-sw[1", "1]-sw[2", "3]-sw[4", "4]-sw[5", "0]-sw[3", "1]-sw[4", "2]-sw[5"}) {
      all += fmt::format("{}{{ at: 'sw[{}]', delay: {}cycles }}", all.empty() ? "" : ", ", link, delay);
    }
    const Outcome adapters = run_yaml(mesh, {"adapters=[" + all + "]"});
    const Outcome longer = run_yaml(mesh, {fmt::format("switch.serdes={}cycles", delay)});
    ASSERT_EQ(adapters.error + adapters.failure + longer.error + longer.failure, "");
    EXPECT_EQ(adapters.figure("network", "adapters"), 14);
    EXPECT_EQ(adapters.table("adapters").size(), 7);
    for (const char* table : {"circuits", "flows", "links", "services", "faults", "slot_changes"}) {
      EXPECT_EQ(adapters.table(table), longer.table(table)) << delay << " " << table;
    }
  }
}

// Messages of nodes over links of different length, data path and slot LUT once as models and once in lockstep.
TEST(SetupAdapters, RtlAgrees) {
  const std::string mesh =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 2] }\nsetup: { mode: in_network, routes: 2 }\n"
      "switch: { slots: 8, pipeline: 1cycle }\nqos: { levels: { a: { message: 64B } } }\n"
      "traffic: [ { level: a, load: 0.05 } ]\nrun: { warm_up: 5us, measure: 60us }\n"
      "adapters: [ { at: 'sw[0]-sw[1]', delay: 5cycles }, { at: 'sw[4]', delay: 2cycles }, { at: 'nic[5]', delay: "
      "170ns } ]\n"
      "faults: [ { at: 'nic[0]', down: 20us, up: 22us }, { at: 'sw[1]-sw[4]', down: 30us, up: 31us } ]\n";
  const Outcome model = run_yaml(mesh, {});
  const Outcome rtl =
      run_yaml(mesh, {"switch.data_path.implementation=lockstep", "switch.slot_lut.implementation=lockstep"});
  ASSERT_EQ(model.error + model.failure + rtl.error + rtl.failure, "");
  for (const char* table : {"circuits", "flows", "services", "faults"}) {
    EXPECT_EQ(rtl.table(table), model.table(table)) << table;
  }
}

// Whatever comes together, as in SetupProtocol.RandomNetworks, with trees and links of many lengths.
TEST(SetupAdapters, RandomNetworks) { expect_all_kinds(soak_setup(Random::adapters)); }

}  // namespace
}  // namespace weft::test

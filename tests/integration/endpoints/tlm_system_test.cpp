// A network in a design of somebody's own (run/tlm_system.h): its report, and what comes too late or twice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "integration/endpoints/endpoint_bench.h"
#include "integration/endpoints/tlm_modules.h"
#include "run/tlm_system.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using endpoints::design_of;

// Requests and answers between nodes 0 and 5, over the network: as many messages as the report says, in its latencies
// and on its links; of the rest, the times are those of single messages.
TEST(TlmReport, HasEveryRequestAndAnswer) {
  for (const std::string& name : {"ib", "iq", "opa", "tdm", "tdm_in_network", "ideal", "optweb"}) {
    SCOPED_TRACE(name);
    const std::vector<TlmCase> cases = tlm_cases();
    const auto of_name = std::find_if(cases.begin(), cases.end(), [&](const TlmCase& c) { return c.name == name; });
    const ScratchFolder folder;
    const ChildResult child = in_child([&]() -> std::string {
      const auto design = design_of(of_name->network);
      const auto plan = design->plan();
      TlmSystem network("network", *plan, {0, 5});
      Memory memory("memory");
      Processor cpu("cpu", 0, 1, 50);
      network.map(kBase, kSize, 5);
      network.node(5).target_side.bind(memory.socket);
      cpu.socket.bind(network.node(0).initiator_side);
      for (int piece = 0; piece < 100; ++piece) sc_core::sc_start(10, sc_core::SC_US);
      if (!cpu.wrong.empty()) return cpu.wrong;
      if (network.write_report(folder.path("out")).size() < 4) return "there are files missing";
      return &network.report() == &network.report() ? "the same" : "another report";
    });
    EXPECT_EQ(child.text, "the same");
    const auto report = nlohmann::json::parse(slurp(folder.path("out/report.json")));
    const auto figure = [&](const char* section, const char* key) {
      return report.at("figures").at(section).at(key).at("value").get<double>();
    };
    const auto rows = [&](const char* table) { return report.at("tables").at(table).at("rows"); };
    EXPECT_TRUE(report.at("complete").get<bool>());
    EXPECT_EQ(figure("run", "delivered"), 100);
    EXPECT_NEAR(figure("run", "window"), 1e6, 20)
        << "the time that has passed, not that in which there was something to do";
    EXPECT_EQ(rows("services").at(0).at("messages"), 100);
    if (name == "ib" || name == "iq") {  // the shortest request, or answer, has one flit
      EXPECT_NEAR(figure("run", "latency_min"), static_cast<double>(of_name->request) * figure("network", "cycle"),
                  1e-6);
    }
    if (name != "ideal") EXPECT_GE(rows("links").size(), 2U);
  }
}

// A message waits for a link that does not come back. Nothing is left to do, so time does not go on, but its flits are
// in a buffer for all of it.
TEST(TlmReport, TellsOfWhatStandsStill) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design =
        design_of(std::string("fabric: packet\nswitch: { architecture: iq }\nrouting: { no_way: wait }\n"
                              "topology: { kind: mesh, dims: [2] }\n"
                              "faults: [ { at: 'sw[0].port1', down: 1cycles } ]\n") +
                  kNothing);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    Memory memory("memory");
    Processor cpu("cpu", 0, 1, 1);
    network.map(kBase, kSize, 1);
    network.node(1).target_side.bind(memory.socket);
    cpu.socket.bind(network.node(0).initiator_side);
    sc_core::sc_start();
    const bool ended = sc_core::sc_time_stamp() < sc_core::sc_time(1, sc_core::SC_MS);
    sc_core::sc_start(1, sc_core::SC_MS);
    const Table& switches = *std::find_if(network.report().tables.begin(), network.report().tables.end(),
                                          [](const Table& t) { return t.key == "switches"; });
    const double flits = std::get<double>(switches.rows.at(0).at(2));
    if (flits < 0.9 || flits > 1) return fmt::format("a mean of {} flits", flits);
    return fmt::format("{}, {} under way", ended ? "time ends" : "time goes on", network.fabric().outstanding());
  });
  EXPECT_EQ(child.text, "time ends, 1 under way");
}

// `started`: time has begun.
std::string misuse(const std::function<void(TlmSystem&)>& call, bool bound = true,
                   const std::string& yaml = std::string("fabric: ideal\nideal: { nodes: 4 }\n") + kNothing,
                   bool started = true) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(yaml);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    std::unique_ptr<Memory> memory;
    network.map(kBase, kSize, 1);
    if (bound) {
      memory = std::make_unique<Memory>("memory");
      network.node(1).target_side.bind(memory->socket);
    }
    try {
      if (started) sc_core::sc_start(1, sc_core::SC_US);
      call(network);
    } catch (const InputError& e) {
      return e.what();
    } catch (const sc_core::sc_report& e) {
      return e.get_msg();
    }
    return "nothing";
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.text;
}

TEST(TlmMisuse, WhatComesTooLateOrTwiceIsRefused) {
  using ::testing::HasSubstr;
  if (!kUsageCounts) GTEST_SKIP() << "the address sanitizer takes exceptions that cross SystemC's stacks for errors";
  const ScratchFolder folder;
  EXPECT_THAT(misuse([](TlmSystem& n) { n.node(0).configure({}); }), HasSubstr("configure() comes before time begins"));
  const auto open = [&](TlmSystem& n, const char* name) { n.open_waves(folder.path(name)); };
  // A waveform has all of the network from its beginning on. It may be closed before that.
  for (const TlmCase& c : tlm_cases()) {
    SCOPED_TRACE(c.name);
    const auto waves = [&](const std::function<void(TlmSystem&)>& call) {
      return misuse(call, true, c.network, false);
    };
    EXPECT_THAT(waves([&](TlmSystem& n) {
                  open(n, "a.fst");
                  open(n, "b.fst");
                }),
                HasSubstr("a waveform of this network is open; close_waves() comes first"));
    EXPECT_THAT(waves([&](TlmSystem& n) {
                  open(n, "a.fst");
                  sc_core::sc_start(1, sc_core::SC_US);
                  n.close_waves();
                  open(n, "b.fst");
                }),
                HasSubstr("waves begin before the first sc_start()"));
    EXPECT_EQ(waves([&](TlmSystem& n) {
                open(n, "a.fst");
                n.close_waves();
              }),
              "nothing");
    EXPECT_THAT(waves([&](TlmSystem& n) {
                  open(n, "a.fst");
                  n.map(kBase, kSize, 1);  // which overlaps; the waveform is closed on the way out
                }),
                HasSubstr("overlap"));
  }
  EXPECT_THAT(misuse([](TlmSystem& n) { n.map(2 * kBase, kSize, 0); }),
              HasSubstr("addresses from 0x10000 on belong to node 0, whose target_side is bound to no target"));
}

TEST(TlmMisuse, ANodeThatOwnsAddressesHasATarget) {
  EXPECT_THAT(
      misuse([](TlmSystem&) {}, false),
      ::testing::HasSubstr("addresses from 0x8000 on belong to node 1, whose target_side is bound to no target"));
  EXPECT_EQ(misuse([](TlmSystem&) {}), "nothing");
}

}  // namespace
}  // namespace weft::test

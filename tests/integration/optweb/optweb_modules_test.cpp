// Modules of an OPTWEB node: their places in the hierarchy, what must hold of each, and others in their place.

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/receiving_side.h"
#include "fabrics/optweb/sending_side.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"
#include "support/optweb_runs.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kModulesHead =
    "fabric: optweb\nnodes: 3\nmode: timing\nprogram:\n  - { op: barrier }\n  - { op: barrier }\n";

OptwebConfig parsed() {
  Diagnostics diagnostics;
  return parse_optweb_config(kModulesHead, "t.yaml", ".", {}, diagnostics);
}

struct BuiltNetwork {
  const OptwebConfig config = parsed();
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::BlockFactory blocks;
  ClockDomain domain{"clock", optweb::agenda_period(config)};
  OptwebNetwork network{"optweb", domain, config, programs, blocks};
};

TEST(OptwebModules, HaveNamesInTheHierarchy) {
  const ChildResult r = in_child([]() -> std::string {
    BuiltNetwork built;
    std::string missing;
    for (const char* part : {"hbm",
                             "hbm.interfaces",
                             "hbm.controllers",
                             "hbm.crossbars",
                             "m_dmac",
                             "m_dmac.dispatcher",
                             "m_dmac.readers",
                             "m_dmac.writers",
                             "m_dmac.readers.memory",
                             "m_dmac.writers.memory",
                             "m_dmac.readers.out",
                             "switch",
                             "switch.control_register",
                             "switch.distributors",
                             "switch.selectors",
                             "switch.gate",
                             "switch.sent_counters",
                             "switch.notifications",
                             "switch.buffers",
                             "switch.crossbar",
                             "switch.reduction",
                             "switch.received_counters",
                             "switch.crossbar.out",
                             "switch.link[2]",
                             "sequencer",
                             "changeover",
                             "user_port",
                             "host",
                             "host_master",
                             "host_master.memory"}) {
      if (sc_core::sc_find_object((std::string("optweb.node[1].") + part).c_str()) == nullptr) missing += part;
    }
    return missing;
  });
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(r.text, "");
}

// Every signal of a box leads over a port to the box that the documentation names (boxes/box_signals.h).
TEST(OptwebModules, AreBoundToEachOther) {
  const ChildResult r = in_child([]() -> std::string {
    BuiltNetwork built;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto object = [](const std::string& name) {
      return sc_core::sc_find_object(("optweb.node[1]." + name).c_str());
    };
    std::string wrong;
    for (const auto& [port, box] : std::vector<std::pair<std::string, std::string>>{
             {"m_dmac.readers.out", "switch.distributors"},
             {"switch.distributors.out", "switch.selectors"},
             {"switch.selectors.out", "switch.sent_counters"},
             {"switch.sent_counters.out", "switch.gate"},
             {"switch.sent_counters.done", ""},  // the control, for this side
             {"switch.gate.out", ""},            // the links, which are no module
             {"switch.gate.control", "switch"},
             {"switch.links_to_buffers", "switch.buffers"},
             {"switch.links_to_notifications", "switch.notifications"},
             {"switch.notifications.comes", "switch"},
             {"switch.notifications.out", "switch.gate"},
             {"switch.buffers.comes", "switch"},
             {"switch.buffers.out", "switch.crossbar"},
             {"switch.crossbar.out", "switch.reduction"},
             {"switch.reduction.out", "switch.received_counters"},
             {"switch.received_counters.out", "m_dmac.writers"},
             {"switch.received_counters.done", ""},
             {"switch.to_links", ""},
             {"switch.done", "m_dmac"},
             {"m_dmac.to_sequencer", "sequencer"},
             {"user_port.done", "changeover"},
             {"changeover.to_sequencer", "sequencer"}}) {
      const auto* const from = dynamic_cast<const sc_core::sc_port_base*>(object(port));
      const auto* const bound = from == nullptr ? nullptr : from->get_interface();
      const auto* const to = box.empty() ? bound : dynamic_cast<const sc_core::sc_interface*>(object(box));
      if (bound == nullptr || bound != to) wrong += port + " ";
    }
    return wrong;
  });
  EXPECT_TRUE(r.ok);
  EXPECT_EQ(r.text, "");
}

/// Runs in a child; what was thrown.
template <class Work>
std::string thrown(Work work) {
  return in_child([&]() -> std::string {
           const OptwebConfig config = parsed();
           const OptwebParameters parameters(config);
           try {
             work(parameters);
           } catch (const RunError& e) {
             return e.what();
           }
           return "nothing";
         })
      .text;
}

TEST(OptwebModules, RefuseWhatTheHardwareCannotDo) {
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                Selectors part("selectors", p, 3);
                part.join(2, 0);
                part.release(2);
                part.join(2, 1);
                part.join(1, 1);  // a distributor may lead to many
                part.join(2, 0);
              }),
              HasSubstr("selectors: output 2 takes the words of distributor 1 and is to take those of 0"));
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                Distributors part("distributors", p, 3);
                part.join(0, {1, 2});
                part.join(0, {1});
              }),
              HasSubstr("distributor 0 is joined a second time"));
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                ControlRegister part("control_register", p);
                EXPECT_EQ(part.write(0, 10), 15);
                part.clear();
                part.write(1, 20);
                part.write(2, 30);
              }),
              HasSubstr("is written for instruction 2 while words of instruction 1 pass"));
  EXPECT_THAT(thrown([](const OptwebParameters&) {
                WordCounters part("counters", 5, 3);
                part.expect(1, 10);
                part.count(1, 4);
                EXPECT_EQ(part.missing(1), 6U);
                part.count(1, 7);
              }),
              HasSubstr("the counter of port 1 runs over: 7 words, 6 are expected"));
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                Gate part("gate", p);
                part.shut(2);
                EXPECT_FALSE(part.ready(10));
                EXPECT_EQ(part.ready(11), 13);
                part.ready(12);
              }),
              HasSubstr("a receiver is ready that nobody waits for"));
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                Crossbar part("crossbar", p, 3);
                part.join(0, 1, true);
                part.join(1, 1, true);
                part.release(0);
                part.join(0, 1, false);
              }),
              HasSubstr("input 0 is to be joined to writer 1, and one of them is joined"));
  EXPECT_THAT(thrown([](const OptwebParameters& p) {
                NotificationRegisters part("notifications", p, 3);
                EXPECT_EQ(part.arrives(1, {OptwebNotificationKind::ready, 7}, 100), 104);
                part.registers(1);
                EXPECT_EQ(part.take(1).number, 7U);
                part.registers(1);
              }),
              HasSubstr("no notification has come"));
}

/// A module that is slower than that of the paper.
template <class Box>
struct Slower : Box {
  using Box::Box;
  Cycle passed(Cycle at) const override { return Box::passed(at) + 7; }
};
struct SlowCounters : WordCounters {
  using WordCounters::WordCounters;
  Cycle counted(Cycle at) const override { return WordCounters::counted(at) + 7; }
};
struct SlowGate : Gate {
  using Gate::Gate;
  std::optional<Cycle> ready(Cycle now) override {
    const auto open = Gate::ready(now);
    return open ? std::optional<Cycle>(*open + 7) : open;
  }
};
struct SlowRegisters : NotificationRegisters {
  using NotificationRegisters::NotificationRegisters;
  Cycle arrives(std::uint32_t port, const OptwebNotification& n, Cycle at) override {
    return NotificationRegisters::arrives(port, n, at) + 7;
  }
};

struct OneSlowModule : OptwebModules {
  explicit OneSlowModule(std::string part) : slow(std::move(part)) {}
  std::string slow;
  std::unique_ptr<DistributorsIf> distributors(const Site& p) override {
    if (slow != "distributors") return OptwebModules::distributors(p);
    return std::make_unique<Slower<Distributors>>(p.name, p.parameters, p.ports);
  }
  std::unique_ptr<SelectorsIf> selectors(const Site& p) override {
    if (slow != "selectors") return OptwebModules::selectors(p);
    return std::make_unique<Slower<Selectors>>(p.name, p.parameters, p.ports);
  }
  std::unique_ptr<CrossbarIf> crossbar(const Site& p) override {
    if (slow != "crossbar") return OptwebModules::crossbar(p);
    return std::make_unique<Slower<Crossbar>>(p.name, p.parameters, p.ports);
  }
  std::unique_ptr<WordCountersIf> received_counters(const Site& p) override {
    if (slow != "received_counters") return OptwebModules::received_counters(p);
    return std::make_unique<SlowCounters>(p.name, p.parameters.latency().counter, p.ports);
  }
  std::unique_ptr<GateIf> gate(const Site& p) override {
    if (slow != "gate") return OptwebModules::gate(p);
    return std::make_unique<SlowGate>(p.name, p.parameters);
  }
  std::unique_ptr<NotificationRegistersIf> notifications(const Site& p) override {
    if (slow != "notifications") return OptwebModules::notifications(p);
    return std::make_unique<SlowRegisters>(p.name, p.parameters, p.ports);
  }
};

// Another module in the place of one moves the totals that it is in: a barrier, 64 B, 32 KiB by rendezvous.
TEST(OptwebModules, MayBeReplaced) {
  const std::string yaml =
      kModulesHead + "  - { op: alltoall, size: 64B }\n  - { op: barrier }\n  - { op: alltoall, size: 32KiB }\n";
  const auto latencies = [&](const std::string& slow) {
    OneSlowModule modules(slow);
    const OptwebOutcome r =
        run_optweb_yaml(yaml, {"memory.read=1cycle"}, [&](OptwebRunOptions& o) { o.modules = &modules; });
    EXPECT_THAT(r.error + r.failure, IsEmpty());
    return std::array<std::int64_t, 3>{r.cycles(1, "latency"), r.cycles(2, "latency"), r.cycles(4, "latency")};
  };
  const auto base = latencies("");
  using Moved = std::array<std::int64_t, 3>;
  for (const auto& [part, moved] : {std::pair<std::string, Moved>{"distributors", {0, 7, 0}},
                                    {"selectors", {0, 7, 0}},
                                    {"crossbar", {0, 7, 7}},
                                    {"received_counters", {0, 7, 7}},
                                    {"gate", {0, 0, 7}},
                                    {"notifications", {7, 0, 7}}}) {
    const auto now = latencies(part);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(now[i] - base[i], moved[i]) << part << i;
  }
}

}  // namespace
}  // namespace weft::test

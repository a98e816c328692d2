// Signals of a user's modules in the waveform of a network (run/trace.h), beside those of the network.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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

enum class State : std::uint8_t { idle, busy = 5 };
std::ostream& operator<<(std::ostream& out, State state) { return out << static_cast<int>(state); }  // of sc_signal

/// Counts every 10 ns and has a signal of every kind.
class Counter final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(Counter);
  explicit Counter(sc_core::sc_module_name name) : sc_module(name) {
    in(count);
    SC_THREAD(work);
  }
  sc_core::sc_signal<sc_dt::sc_uint<12>> count{"count"};
  sc_core::sc_signal<bool> odd{"odd"};
  sc_core::sc_signal<int> negative{"negative"};
  sc_core::sc_signal<State> state{"state"};
  sc_core::sc_signal<sc_dt::sc_lv<4>> logic{"logic"};
  sc_core::sc_signal<sc_dt::sc_int<5>> small{"small"};
  sc_core::sc_in<sc_dt::sc_uint<12>> in{"in"};

 private:
  void work() {
    for (int i = 1; i <= 20; ++i) {
      wait(10, sc_core::SC_NS);
      count = i;
      odd = i % 2 == 1;
      negative = -i;
      state = i == 20 ? State::busy : State::idle;
      logic = i == 3 ? "1x0z" : "0001";
      small = -i / 2;
    }
  }
};

std::unique_ptr<Design> design_of(const std::string& network) {
  Diagnostics diagnostics;
  return cli::read_design(
      cli::builtin_families(),
      parse_document(network + "\nqos: { levels: { a: { message: 64B } } }\ntraffic: []\n", "t.yaml", "."), "t.yaml",
      {}, diagnostics);
}

// The values of each cycle are those after the changes before its end, on every family that has waves.
TEST(UserSignals, StandInTheWaveformOfANetwork) {
  for (const std::string network :
       {"fabric: packet\nswitch: { architecture: iq }\ntopology: { kind: mesh, dims: [2, 2] }",
        "fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }",
        "fabric: tdm\ntopology: { kind: mesh, dims: [2, 2] }\nsetup: { mode: in_network }\nswitch: { slots: 8 }",
        "fabric: optweb\nnodes: 4", "fabric: ideal\nideal: { nodes: 4 }"}) {
    SCOPED_TRACE(network);
    const ScratchFolder folder;
    const std::string file = folder.path("w.fst");
    const ChildResult child = in_child([&]() -> std::string {
      const auto design = design_of(network);
      const auto plan = design->plan();
      TlmSystem system("system", *plan, {});
      Counter counter("counter");
      trace(counter.count);
      trace(counter.odd);
      trace(counter.negative, "mine.negative");
      trace(counter.state);
      trace(counter.logic);
      trace(counter.small);
      trace(counter.in, "mine.in");
      int reads = 0;
      trace("mine.reads", 32, [&] { return static_cast<std::uint64_t>(++reads); });
      system.open_waves(file);
      sc_core::sc_start();
      if (sc_core::sc_time_stamp() > sc_core::sc_time(1, sc_core::SC_US)) return "time goes on";
      return system.close_waves().size() == 2 ? "" : "not a waveform and its view";
    });
    ASSERT_TRUE(child.ok) << child.text;
    ASSERT_EQ(child.text, "");
    const Vcd waves = read_fst(file);
    EXPECT_GT(waves.names().size(), 20U) << "the network's own signals";
    // From the end of the first cycle behind the change on, at most two cycles of 10 ns later.
    for (std::uint64_t i = 1; i <= 19; ++i) {
      const auto& count = waves.signal("counter.count");
      const std::uint64_t seen = count.number_at(i * 10'000 + 9'999);
      EXPECT_GE(seen + 2, i);
      EXPECT_LE(seen, i);
    }
    EXPECT_EQ(waves.signal("counter.count").width, 12U);
    EXPECT_EQ(waves.signal("counter.count").number_at(waves.last_time()), 20U);
    EXPECT_EQ(waves.signal("mine.in").number_at(waves.last_time()), 20U);
    EXPECT_EQ(waves.signal("counter.odd").number_at(waves.last_time()), 0U);
    EXPECT_EQ(waves.signal("mine.negative").number_at(waves.last_time()), 0x1'0000'0000ULL - 20);
    EXPECT_EQ(waves.signal("counter.state").number_at(waves.last_time()), 5U);
    EXPECT_EQ(waves.signal("counter.logic").number_at(waves.last_time()), 1U);
    EXPECT_EQ(waves.signal("counter.small").number_at(waves.last_time()), 32U - 10);
    EXPECT_GT(waves.signal("mine.reads").number_at(waves.last_time()), 20U);
    const std::string view = slurp(folder.path("w.gtkw"));
    EXPECT_THAT(view, ::testing::HasSubstr("-user signals"));
    EXPECT_THAT(view, ::testing::HasSubstr("counter.count[11:0]"));
  }
}

// A trigger needs a second run, which is not the network's to make.
TEST(UserSignals, StandInNoWaveformWithATrigger) {
  const ScratchFolder folder;
  const std::string file = folder.path("w.fst");
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(
        "fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }\nobserve: { waves: { trigger: { latency: 200ns } } }");
    const auto plan = design->plan();
    TlmSystem system("system", *plan, {});
    try {
      system.open_waves(file);
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_THAT(child.text, ::testing::HasSubstr("t.yaml: error: observe.waves.trigger is for 'weft run'"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(UserSignals, ComeBeforeTheWaveform) {
  const ScratchFolder folder;
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of("fabric: ideal\nideal: { nodes: 4 }");
    const auto plan = design->plan();
    TlmSystem system("system", *plan, {});
    sc_core::sc_signal<bool> early("early");
    sc_core::sc_signal<bool> late("late");
    trace(early);
    system.open_waves(folder.path("w.fst"));
    try {
      trace(late);
    } catch (const InputError& e) {
      return e.what();
    }
    return "nothing";
  });
  EXPECT_THAT(child.text, ::testing::HasSubstr("'late': a waveform is open already and would not have it"));
}

// One waveform after the other is closed; the other one is still woken by signals.
TEST(UserSignals, WakeEveryNetworkWithAWaveform) {
  const ScratchFolder folder;
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of("fabric: ideal\nideal: { nodes: 4 }");
    const auto plan = design->plan();
    TlmSystem first("first", *plan, {});
    TlmSystem second("second", *plan, {});
    sc_core::sc_signal<bool> pulse("pulse");
    trace(pulse);
    first.open_waves(folder.path("first.fst"));
    second.open_waves(folder.path("second.fst"));
    sc_core::sc_spawn([&] {
      for (int i = 0; i < 4; ++i) {
        sc_core::wait(1, sc_core::SC_US);
        pulse = i % 2 == 0;
      }
    });
    sc_core::sc_start(2500, sc_core::SC_NS);
    second.close_waves();
    sc_core::sc_start(2500, sc_core::SC_NS);
    first.close_waves();
    return "closed";
  });
  ASSERT_EQ(child.text, "closed");
  const auto changes = [&](const char* file) { return read_fst(folder.path(file)).signal("pulse").changes.size(); };
  EXPECT_EQ(changes("second.fst"), 3U);  // 0, 1, 0
  EXPECT_EQ(changes("first.fst"), 5U);
}

// The network outlives the signals: its waveform has their last values, without a look at what is gone.
TEST(UserSignals, MayEndBeforeTheNetwork) {
  for (const bool stop : {false, true}) {
    SCOPED_TRACE(stop ? "after sc_stop()" : "without sc_stop()");
    const ScratchFolder folder;
    const std::string file = folder.path("w.fst");
    const ChildResult child = in_child([&]() -> std::string {
      const auto design = design_of("fabric: packet\ntopology: { kind: mesh, dims: [2, 2] }");
      const auto plan = design->plan();
      auto system = std::make_unique<TlmSystem>("system", *plan, std::vector<NodeId>{});
      bool gone = false;
      bool read = false;
      auto counter = std::make_unique<Counter>("counter");
      trace(counter->count);
      trace("mine.bits", 8, [&] {
        read = read || gone;
        return std::uint64_t{7};
      });
      system->open_waves(file);
      sc_core::sc_start(195, sc_core::SC_NS);
      counter->count = 77;  // only sc_stop() sees it: no time passes
      sc_core::sc_start(sc_core::SC_ZERO_TIME);
      if (stop) sc_core::sc_stop();
      counter.reset();
      gone = true;
      system.reset();
      return read ? "a signal that is gone has been read" : "";
    });
    ASSERT_TRUE(child.ok) << child.text;
    ASSERT_EQ(child.text, "");
    const Vcd waves = read_fst(file);
    EXPECT_EQ(waves.signal("counter.count").number_at(waves.last_time()), stop ? 77U : 19U);
    EXPECT_EQ(waves.signal("mine.bits").number_at(waves.last_time()), 7U);
  }
}

TEST(UserSignals, WrongOnesAreErrors) {
  using ::testing::HasSubstr;
  const auto error = [](const std::string& path, std::uint32_t width) -> std::string {
    try {
      trace(path, width, [] { return std::uint64_t{0}; });
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error("", 1), HasSubstr("expected names that are joined by points"));
  EXPECT_THAT(error("a..b", 1), HasSubstr("expected names"));
  EXPECT_THAT(error("a.b c", 1), HasSubstr("expected names"));
  EXPECT_THAT(error("a.b", 65), HasSubstr("65 bits; 1 to 64 are possible"));
  EXPECT_EQ(error("a.b", 64), "");
  EXPECT_THAT(error("a.b", 3), HasSubstr("there is a signal of this name already"));
}

}  // namespace
}  // namespace weft::test

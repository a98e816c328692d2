// User logic that sees its words through the changeover switch: bytes that it changes, its pace against M_DMAC, and the
// words at the memory interfaces, against the closed form of docs/howto/boxes.md.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/optweb_network.h"
#include "fabrics/optweb/user/stream_logic.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kFlowStripe = 2 * 64 * 1024;
constexpr Cycle kFlowLatency = 9;

/// Of 32-bit numbers: the sum over all reads, times three; `halves`: the sum of two words, one behind the other.
class Sums final : public sc_core::sc_module, public StreamLogic, public UserWordsIf {
 public:
  explicit Sums(sc_core::sc_module_name name) : sc_module(name) { in.bind(*this); }
  UserFlow flow(const optweb::MachineInstruction&) override { return what; }
  void put(std::size_t stream, std::span<const std::byte> bytes) override {
    if (stream >= kept_.size()) kept_.resize(stream + 1);
    kept_[stream].insert(kept_[stream].end(), bytes.begin(), bytes.end());
    ++puts;
    if (stream + 1 == what.reads.size()) make();
  }
  void ends() override {
    if (what.reads.empty()) out->put(0, std::vector<std::byte>(what.writes[0].bytes - lost, std::byte{0x5a}));
  }
  UserFlow what;
  std::size_t puts = 0;
  std::uint64_t lost = 0;
  bool shrinks = false;  // what it makes of a step is a word, and not looked at

 private:
  void make() {
    std::vector<std::byte> sum(kept_.front().size());
    for (std::size_t i = 0; i < sum.size(); i += 4) {
      std::uint32_t all = 0;
      for (const auto& k : kept_) {
        std::uint32_t one = 0;
        std::memcpy(&one, k.data() + i, 4);
        all += 3 * one;
      }
      std::memcpy(sum.data() + i, &all, 4);
    }
    for (auto& k : kept_) k.clear();
    if (shrinks) sum.resize(sum.size() / what.reads[0].step);
    if (lost > 0) sum.resize(sum.size() > lost ? sum.size() - lost : 0);
    if (!what.writes.empty()) out->put(0, sum);
  }
  std::vector<std::vector<std::byte>> kept_;
};

/// "cycles, words read in stripe 1, written in stripe 0, bytes are right". Null: logic that takes a cycle.
std::string run_words(const UserFlow* flow, const std::string& more = {}, std::uint64_t lost = 0,
                      bool shrinks = false) {
  const ChildResult r = in_child([&] {
    Diagnostics diagnostics;
    const OptwebConfig config = parse_optweb_config(
        "fabric: optweb\nnodes: 2\nseed: 7\nmemory: { interfaces: 4, capacity: 256KiB }\n"
        "program:\n  - { op: compute, time: 5ns, at: [0] }\n" +
            more,
        "t.yaml", ".", {}, diagnostics);
    const optweb::MachinePrograms programs = optweb::assemble(config);
    optweb::BlockFactory blocks;
    ClockDomain domain("clock", optweb::agenda_period(config));
    OptwebNetwork network("optweb", domain, config, programs, blocks);
    OptwebNode& node = network.node(0);
    std::optional<Sums> logic;
    if (flow != nullptr) {
      logic.emplace("sums");
      logic->what = *flow;
      logic->lost = lost;
      logic->shrinks = shrinks;
      node.set_user_logic(*logic);
    }
    domain.capture_failures();
    const optweb::SparseMemory before = node.memory().bytes();
    network.load_programs();
    network.load_host_traffic();
    sc_core::sc_start();
    if (domain.failure()) std::rethrow_exception(domain.failure());
    bool right = true;
    const auto number = [](const optweb::SparseMemory& m, std::uint64_t at) {
      std::array<std::byte, 4> b{};
      m.read(at, b);
      std::uint32_t out = 0;
      std::memcpy(&out, b.data(), 4);
      return out;
    };
    for (std::uint64_t i = 0; flow != nullptr && !shrinks && !flow->writes.empty() && i < flow->writes[0].bytes;
         i += 4) {
      std::uint32_t expected = flow->reads.empty() ? 0x5a5a5a5a : 0;
      for (const UserStream& s : flow->reads) expected += 3 * number(before, s.address + i);
      right = right && number(node.memory().bytes(), flow->writes[0].address + i) == expected;
    }
    const MemoryInterfaces& words = node.memory().interfaces();
    EXPECT_TRUE(network.finished());
    return fmt::format("{} {} {} {}", node.last_completed(), words.words_read(2) + words.words_read(3),
                       words.words_written(0) + words.words_written(1), right);
  });
  return r.text;
}

/// The same; the cycles count from the instruction, as a logic that takes one of them shows.
std::string run_flow(const UserFlow& flow, const std::string& more = {}, std::uint64_t lost = 0, bool shrinks = false) {
  const std::string all = run_words(&flow, more, lost, shrinks);
  if (all.find("true") == std::string::npos) return all;
  const Cycle before = std::stoll(run_words(nullptr)) - 1;
  std::size_t rest = 0;
  const Cycle cycles = std::stoll(all, &rest) - before;
  return std::to_string(cycles) + all.substr(rest);
}

UserFlow scaled(std::uint64_t words, optweb::WordRate pace) {
  UserFlow out;
  out.reads = {{kFlowStripe, 32 * words}};
  out.writes = {{64 * 1024, 32 * words}};
  out.pace = pace;
  out.latency = kFlowLatency;
  return out;
}

// dispatch 3 and read 50, n steps, and the latency of the logic.
std::string expected(Cycle steps, std::uint64_t words) {
  return fmt::format("{} {} {} true", 3 + 50 + steps + kFlowLatency, words, words);
}

TEST(OptwebStreamLogic, MovesChangedWordsAtItsPace) {
  for (const std::uint64_t n : {1U, 2U, 7U, 1000U, 2048U}) {
    const auto steps = static_cast<Cycle>(n);
    EXPECT_EQ(run_flow(scaled(n, {1, 1})), expected(steps, n)) << n;
    EXPECT_EQ(run_flow(scaled(n, {2, 1})), expected(2 * steps, n)) << n;
    EXPECT_EQ(run_flow(scaled(n, {7, 3})), expected((7 * steps + 2) / 3, n)) << n;
    EXPECT_EQ(run_flow(scaled(n, {1, 4})), expected(steps, n)) << n;  // no faster than the memory
  }
}

// Words inside the logic leave it as far apart as they have come in: the last one `latency` behind the last one read,
// however long that is and however much faster the memory would take them.
TEST(OptwebStreamLogic, TheLastWordIsTheLatencyBehind) {
  for (const std::uint32_t step : {1U, 2U, 4U, 16U}) {
    for (const Cycle latency : {0, 1, 9, 20, 30, 5000}) {
      UserFlow flow = scaled(64, {1, 1});
      flow.reads[0] = {kFlowStripe, std::uint64_t{32} * 64 * step, step};
      flow.latency = latency;
      EXPECT_EQ(run_flow(flow, "", 0, true),
                fmt::format("{} {} 64 true", 3 + 50 + 64 * Cycle{step} + latency, 64 * step))
          << step << " " << latency;
    }
  }
}

// In one interface reads and writes take turns: at half the pace of the interface, whatever the logic would take.
TEST(OptwebStreamLogic, ReadsAndWritesShareAnInterface) {
  UserFlow flow = scaled(512, {1, 1});
  flow.writes[0].address = kFlowStripe + 32 * 1024;
  const std::string same = run_flow(flow);
  EXPECT_EQ(same, fmt::format("{} 512 0 true", 3 + 50 + 2 * 512 + kFlowLatency));
  flow.pace = {3, 1};
  EXPECT_EQ(run_flow(flow), fmt::format("{} 512 0 true", 3 + 50 + 3 * 512 + kFlowLatency));
}

// A host that writes where the logic writes gets every other turn: the logic is held up, and so is its reader.
TEST(OptwebStreamLogic, WaitsForAWriterBesideTheHost) {
  const auto host = [](const std::string& place) {
    return "host:\n  - { node: 0, op: write, at: 1us, " + place + " }\n";
  };
  const std::string alone = expected(1000, 1000);
  EXPECT_EQ(run_flow(scaled(1000, {1, 1}), host("stripe: 0, address: 100KiB, size: 4KiB")), expected(1000 + 128, 1000));
  EXPECT_EQ(run_flow(scaled(1000, {2, 1}), host("stripe: 0, address: 100KiB, size: 4KiB")), expected(2000, 1000));
  EXPECT_EQ(run_flow(scaled(1000, {1, 1}), host("stripe: 0, size: 4KiB")), alone);
}

// Two streams in, one out; two words in for one out; words out of nothing; words that stay.
TEST(OptwebStreamLogic, HasAnyStreams) {
  UserFlow two = scaled(300, {1, 1});
  two.reads.push_back({0, 32 * 300});
  EXPECT_EQ(run_flow(two), expected(300, 300));
  UserFlow nothing = scaled(300, {2, 1});
  nothing.reads.clear();
  EXPECT_EQ(run_flow(nothing), fmt::format("{} 0 300 true", 3 + 600 + kFlowLatency));
  UserFlow sink = scaled(300, {2, 1});
  sink.writes.clear();
  EXPECT_EQ(run_flow(sink), fmt::format("{} 300 0 true", 3 + 50 + 600 + kFlowLatency));
  UserFlow pairs = scaled(300, {1, 1});
  pairs.reads[0] = {kFlowStripe, 64 * 300, 2};
  pairs.writes[0].bytes = 32 * 300;
  EXPECT_THAT(run_flow(pairs), ::testing::HasSubstr("makes more than the 9600 bytes that it is to write at 0x10000"));
}

TEST(OptwebStreamLogic, IsChecked) {
  using ::testing::HasSubstr;
  EXPECT_THAT(run_flow(scaled(100, {1, 1}), "", 32),
              HasSubstr("optweb.node[0].user_port: the user logic has made 3072 of the 3200 bytes"));
  UserFlow flow = scaled(100, {1, 1});
  flow.writes[0].bytes = 32 * 99;
  EXPECT_THAT(run_flow(flow), HasSubstr("takes 100 steps for 100 words of one stream, and 99 for 99 of another one"));
  flow = scaled(100, {0, 1});
  EXPECT_THAT(run_flow(flow), HasSubstr("is to take 1 steps in 0 cycles"));
  flow = scaled(100, {1, 1});
  flow.reads.push_back({kFlowStripe + 8192, 3200});
  EXPECT_THAT(run_flow(flow), HasSubstr("is to read stripe 1 twice at a time"));
  EXPECT_THAT(run_flow({}), HasSubstr("names no words"));
  flow = scaled(100, {1, 1});
  flow.latency = -2;
  EXPECT_THAT(run_flow(flow), HasSubstr("cannot make a word 2 cycles before it gets one"));
}

}  // namespace
}  // namespace weft::test

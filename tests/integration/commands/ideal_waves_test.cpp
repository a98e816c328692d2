// The waveform of an ideal network, read back with fst2vcd: every flit that leaves a node and arrives at one, and what
// waits there, cycle by cycle from the times of the message log.

#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "support/message_log.h"
#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kIdealPeriod = 1000;  // ps
constexpr std::int64_t kIdealEnd = 3000;     // cycles; the log has the messages that were generated before
constexpr std::int64_t kIdealLatency = 7;
constexpr std::uint32_t kIdealNodes = 4;

constexpr const char* kIdealYaml = R"(
fabric: ideal
ideal: { nodes: 4, latency: 7cycles, pairs: [ { from: 1, to: 2, latency: 20cycles } ] }
link: { rate: 64GB/s, flit: 64B }
qos: { levels: { short: { message: 64B }, long: { message: 700B } } }
traffic:
  - { level: short, load: 0.2 }
  - { level: long, load: 0.5 }
run: { warm_up: 0ns, measure: 3us, drain: 20us, settle: false }
observe: { message_log: true }
)";

// Times in cycles.
struct IdealMessage {
  std::int64_t generated = 0, sent = 0, delivered = 0;
  std::uint32_t from = 0, to = 0;
  std::string level;
  std::int64_t flits = 0;
  std::string ends() const { return std::to_string(from) + ">" + std::to_string(to); }
  std::int64_t head() const { return sent + (from == 1 && to == 2 ? 20 : kIdealLatency); }
  std::int64_t begin() const { return delivered - flits + 1; }  // at the interface of its destination
};

class IdealWavesTest : public ::testing::Test {
 protected:
  Vcd run(const std::vector<std::string>& set = {}) {
    folder_.write("in.yaml", kIdealYaml);
    std::vector<std::string> arguments{"run", "in.yaml", "--out", "out", "--waves", "w.fst"};
    for (const std::string& s : set) arguments.insert(arguments.end(), {"--set", s});
    const ProgramResult r = weft(arguments, {folder_.path()});
    EXPECT_EQ(r.status, 0) << r.err;
    EXPECT_THAT(r.out, HasSubstr("waves: gtkwave w.gtkw   (view of w.fst)"));
    return read_fst(folder_.path("w.fst"));
  }
  std::vector<IdealMessage> log() const {
    std::vector<IdealMessage> out;
    for (const LoggedMessage& m : logged_messages(folder_.path("out/messages.csv"))) {
      out.push_back({m.generated / kIdealPeriod, m.sent / kIdealPeriod, m.delivered / kIdealPeriod, m.from, m.to,
                     m.level, m.flits});
    }
    return out;
  }
  static std::uint64_t at(std::int64_t cycle) { return static_cast<std::uint64_t>(cycle * kIdealPeriod); }
  // `now`: the message of which a flit goes through the interface; null: none.
  static void expect_flit(const Vcd& vcd, const std::string& path, std::int64_t c, const IdealMessage* now,
                          std::int64_t first) {
    ASSERT_EQ(vcd.signal(path + "valid").number_at(at(c)), now == nullptr ? 0U : 1U) << path << c;
    ASSERT_EQ(vcd.signal(path + "message").at(at(c)), now == nullptr ? "" : now->ends()) << path << c;
    ASSERT_EQ(vcd.signal(path + "level").at(at(c)), now == nullptr ? "" : now->level) << path << c;
    if (now == nullptr) return;
    ASSERT_EQ(vcd.signal(path + "flit").number_at(at(c)), static_cast<std::uint64_t>(c - first)) << path << c;
  }
  ScratchFolder folder_;
};

TEST_F(IdealWavesTest, NodesSendTheMessagesOfTheLogFlitByFlit) {
  const Vcd vcd = run();
  const auto messages = log();
  std::int64_t longest_queue = 0;
  for (std::uint32_t n = 0; n < kIdealNodes; ++n) {
    const std::string path = "ideal.node[" + std::to_string(n) + "].send.";
    for (std::int64_t c = 0; c < kIdealEnd; ++c) {
      const IdealMessage* now = nullptr;
      std::int64_t number = 0, waiting = 0, queued = 0;
      for (const IdealMessage& m : messages) {
        if (m.from != n || m.generated > c) continue;
        if (m.sent <= c) ++number;
        if (m.sent > c) ++waiting;
        queued += m.flits - std::clamp<std::int64_t>(c + 1 - m.sent, 0, m.flits);
        if (m.sent <= c && c < m.sent + m.flits) now = &m;
      }
      expect_flit(vcd, path, c, now, now == nullptr ? 0 : now->sent);
      if (HasFatalFailure()) return;
      ASSERT_EQ(vcd.signal(path + "number").number_at(at(c)), static_cast<std::uint64_t>(number)) << path << c;
      ASSERT_EQ(vcd.signal(path + "waiting").number_at(at(c)), static_cast<std::uint64_t>(waiting)) << path << c;
      ASSERT_EQ(vcd.signal(path + "queued").number_at(at(c)), static_cast<std::uint64_t>(queued)) << path << c;
      longest_queue = std::max(longest_queue, waiting);
    }
  }
  EXPECT_GT(messages.size(), 500U);
  EXPECT_GT(longest_queue, 2);
}

TEST_F(IdealWavesTest, SerialReceiversTakeOneFlitPerCycleAndOthersWait) {
  const Vcd vcd = run();
  const auto messages = log();
  std::int64_t most = 0;
  for (std::uint32_t n = 0; n < kIdealNodes; ++n) {
    const std::string path = "ideal.node[" + std::to_string(n) + "].receive.";
    for (std::int64_t c = 0; c < kIdealEnd; ++c) {
      const IdealMessage* now = nullptr;
      std::int64_t waiting = 0;
      for (const IdealMessage& m : messages) {
        if (m.to != n || m.head() > c) continue;
        if (m.begin() <= c && c <= m.delivered) now = &m;
        if (m.begin() > c) ++waiting;
      }
      expect_flit(vcd, path, c, now, now == nullptr ? 0 : now->begin());
      if (HasFatalFailure()) return;
      ASSERT_EQ(vcd.signal(path + "waiting").number_at(at(c)), static_cast<std::uint64_t>(waiting)) << path << c;
      most = std::max(most, waiting);
    }
  }
  EXPECT_GT(most, 1);
}

// The one that began first is shown.
TEST_F(IdealWavesTest, ParallelReceiversTakeMessagesSideBySide) {
  const Vcd vcd = run({"ideal.receivers=parallel"});
  auto messages = log();
  std::sort(messages.begin(), messages.end(), [](const IdealMessage& a, const IdealMessage& b) {
    return std::pair(a.begin(), a.from) < std::pair(b.begin(), b.from);
  });
  std::int64_t most = 0;
  for (std::uint32_t n = 0; n < kIdealNodes; ++n) {
    const std::string path = "ideal.node[" + std::to_string(n) + "].receive.";
    EXPECT_FALSE(vcd.has(path + "waiting"));
    for (std::int64_t c = 0; c < kIdealEnd; ++c) {
      const IdealMessage* first = nullptr;
      std::int64_t arriving = 0;
      for (const IdealMessage& m : messages) {
        if (m.to != n || m.begin() > c || m.delivered < c) continue;
        EXPECT_EQ(m.begin(), m.head());
        if (first == nullptr) first = &m;
        ++arriving;
      }
      expect_flit(vcd, path, c, first, first == nullptr ? 0 : first->begin());
      if (HasFatalFailure()) return;
      ASSERT_EQ(vcd.signal(path + "arriving").number_at(at(c)), static_cast<std::uint64_t>(arriving)) << path << c;
      most = std::max(most, arriving);
    }
  }
  EXPECT_GT(most, 1);
}

TEST_F(IdealWavesTest, LimitedToNodesAndTime) {
  const Vcd whole = run();
  const Vcd part = run({"observe.waves={nodes: [3, 1, 3], from: 1us, until: 2us}"});
  EXPECT_FALSE(part.has("ideal.node[0].send.valid"));
  EXPECT_FALSE(part.has("ideal.node[2].receive.valid"));
  EXPECT_EQ(part.first_time(), at(1000));
  EXPECT_EQ(part.last_time(), at(1999));
  for (const std::string name : {"ideal.node[1].send.message", "ideal.node[3].send.queued", "ideal.node[1].send.number",
                                 "ideal.node[3].receive.message", "ideal.node[1].receive.waiting"}) {
    EXPECT_GT(part.signal(name).changes.size(), 20U) << name;
    for (std::int64_t c = 1000; c < 2000; ++c) {
      ASSERT_EQ(part.signal(name).at(at(c)), whole.signal(name).at(at(c))) << name << c;
    }
  }
  const std::string view = slurp(folder_.path("w.gtkw"));
  EXPECT_THAT(view, HasSubstr("@820\n+{sends} ideal.node[1].send.message\n"));
  EXPECT_THAT(view, HasSubstr("ideal.node[3].receive.waiting[23:0]\n"));
  EXPECT_THAT(view, ::testing::Not(HasSubstr("node[0]")));
}

// Looking changes nothing.
TEST_F(IdealWavesTest, TheReportIsTheSameWithWaves) {
  for (const std::string receivers : {"ideal.receivers=serial", "ideal.receivers=parallel"}) {
    run({receivers, "observe.waves={transfers: {}}"});
    const std::string report = slurp(folder_.path("out/report.json"));
    const std::string messages = slurp(folder_.path("out/messages.csv"));
    ASSERT_EQ(weft({"run", "in.yaml", "--out", "out", "--set", receivers, "--set", "observe.waves={transfers: {}}"},
                   {folder_.path()})
                  .status,
              0);
    EXPECT_TRUE(slurp(folder_.path("out/report.json")) == report) << receivers;
    EXPECT_TRUE(slurp(folder_.path("out/messages.csv")) == messages) << receivers;
  }
}

TEST_F(IdealWavesTest, TimeAroundAMessage) {
  run({"observe.waves.trigger={level: long, source: 2, number: 5, before: 10ns, after: 20ns}"});
  const Vcd vcd = read_fst(folder_.path("w.fst"));
  std::vector<IdealMessage> fit;
  for (const IdealMessage& m : log()) {
    if (m.from == 2 && m.level == "long") fit.push_back(m);
  }
  ASSERT_GT(fit.size(), 5U);
  std::stable_sort(fit.begin(), fit.end(),
                   [](const IdealMessage& a, const IdealMessage& b) { return a.delivered < b.delivered; });
  const IdealMessage& m = fit.at(4);
  EXPECT_EQ(vcd.first_time(), at(m.generated - 10));
  EXPECT_EQ(vcd.signal("ideal.node[2].send.message").at(at(m.sent)), m.ends());
  EXPECT_EQ(vcd.signal("ideal.node[" + std::to_string(m.to) + "].receive.message").at(at(m.delivered)), m.ends());
  EXPECT_GE(vcd.last_time(), at(m.delivered + 20));
}

TEST_F(IdealWavesTest, WrongChoicesAreRefused) {
  folder_.write("in.yaml", kIdealYaml);
  const auto error = [&](const std::string& set) {
    const ProgramResult r = weft({"run", "in.yaml", "--waves", "w.fst", "--set", set}, {folder_.path()});
    EXPECT_EQ(r.status, 2);
    return r.err;
  };
  EXPECT_THAT(error("observe.waves.nodes=[1, 4]"),
              HasSubstr("observe.waves.nodes: expected a node from 0 to 3, got 4"));
  EXPECT_THAT(error("observe.waves.trigger={level: logn}"), HasSubstr("there is no 'logn'; did you mean 'long'?"));
  EXPECT_THAT(error("observe.waves={from: 2us, until: 1us}"), HasSubstr("observe.waves.until: must be after from"));
  EXPECT_THAT(error("observe.boxes={}"), HasSubstr("unknown key 'boxes'"));
}

}  // namespace
}  // namespace weft::test

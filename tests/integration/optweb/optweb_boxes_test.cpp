// Boxes within OPTWEB nodes: shares of time in the report, signals in the waveform. What they say is compared with what
// other parts of the model count, and with times that follow from the latencies.

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "run/optweb/optweb_family.h"
#include "support/optweb_runs.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

void with_boxes(OptwebRunOptions& o) { o.boxes = OptwebBoxChoice{}; }

/// A row of the table of boxes; null when there is none.
nlohmann::json box_row(const OptwebOutcome& r, NodeId node, const std::string& box, const std::string& state) {
  for (const auto& row : r.report["tables"]["boxes"]["rows"]) {
    if (row["node"] == node && row["box"] == box && row["state"] == state) return row;
  }
  return {};
}

/// Cycles of 5 ns that a box was in a state, over all its places.
std::int64_t box_cycles(const OptwebOutcome& r, NodeId node, const std::string& box, const std::string& state) {
  const nlohmann::json row = box_row(r, node, box, state);
  return row.is_null() ? 0 : std::llround(row["time"].get<double>() / 5);
}

/// Everything at once: early and late nodes, both protocols, reductions, two paths, hosts.
const std::string kBoxMixture =
    "fabric: optweb\nnodes: 4\nmode: timing\nprograms:\n"
    "  'node[0]':\n    - { op: compute, time: 3us }\n&REST"
    "  'node[1..3]':\n&REST";
const std::string kBoxRest =
    "    - { op: alltoall, size: 1KiB }\n    - { op: allgather, size: 40KiB }\n    - { op: fence }\n"
    "    - { op: reduce, size: 8KiB, root: 2 }\n    - { op: barrier }\n    - { op: allreduce, size: 64KiB }\n"
    "    - { op: reduce_scatter, size: 2KiB }\n"
    "    - { op: transfer, source: 3, destination: 1, size: 256KiB, path: multipath }\n";
const std::string kBoxHosts =
    "host:\n  - { node: 1, op: read, at: 4us, size: 4KiB }\n  - { node: 3, op: write, at: 4us, size: 2KiB }\n";

std::string box_mixture() {
  std::string out = kBoxMixture;
  for (std::size_t at = out.find("&REST"); at != std::string::npos; at = out.find("&REST")) {
    out.replace(at, 5, kBoxRest);
  }
  return out + kBoxHosts;
}

/// Spans as they were told.
struct BoxLog final : OptwebObserver {
  using Place = std::tuple<NodeId, OptwebBox, std::uint32_t>;
  std::map<Place, Picoseconds> ends;
  std::map<std::tuple<OptwebBox, NodeId, NodeId>, std::uint64_t> words;
  std::string wrong;
  bool wants_boxes() const override { return true; }
  void on_box(const OptwebBoxSpan& s) override {
    Picoseconds& end = ends[{s.node, s.box, s.place}];
    if (s.from < end || s.to < s.from) {
      wrong += fmt::format("{} {} of node {}: {} to {}, another until {}\n", to_string(s.box), s.place, s.node, s.from,
                           s.to, end);
    }
    end = s.to;
    words[{s.box, s.node, s.peer}] += s.words;
  }
};

// Words that pass the boxes are those that links, counters and memories count; a place is in one state at a time.
TEST(OptwebBoxes, PassWhatTheOtherPartsCount) {
  static BoxLog log;
  const OptwebOutcome r = run_optweb_yaml(
      box_mixture(), {},
      [](OptwebRunOptions& o) {
        with_boxes(o);
        o.observers.push_back(&log);
      },
      [] {
        nlohmann::json out;
        for (const auto& [key, words] : log.words) {
          const auto& [box, node, peer] = key;
          out.push_back({std::string(to_string(box)), node, peer == kNoId ? -1 : static_cast<int>(peer), words});
        }
        return nlohmann::json{{"wrong", log.wrong}, {"words", out}}.dump();
      });
  ASSERT_EQ(r.error + r.failure, "");
  const auto noted = nlohmann::json::parse(r.noted);
  EXPECT_EQ(noted["wrong"], "");
  std::map<std::tuple<std::string, int, int>, std::uint64_t> words;
  for (const auto& w : noted["words"]) words[{w[0], w[1], w[2]}] = w[3].get<std::uint64_t>();
  std::size_t links = 0;
  for (const auto& row : r.report["tables"]["links"]["rows"]) {
    int from = 0, to = 0;
    ASSERT_EQ(std::sscanf(row["link"].get<std::string>().c_str(), "node[%d] -> node[%d]", &from, &to), 2);
    const auto count = row["words"].get<std::uint64_t>();
    EXPECT_EQ((words[{"selectors", from, to}]), count);
    EXPECT_EQ((words[{"buffers", to, from}]), count);
    EXPECT_EQ((words[{"crossbar", to, from}]), count);
    ++links;
  }
  EXPECT_EQ(links, 12U);
  for (const auto& row : r.report["tables"]["nodes"]["rows"]) {
    const int n = row["node"];
    EXPECT_EQ((words[{"readers", n, -1}]), row["words_read"].get<std::uint64_t>());
    EXPECT_EQ((words[{"writers", n, -1}]), row["words_written"].get<std::uint64_t>());
  }
  EXPECT_EQ((words[{"host_master", 1, -1}]), 128U);
  EXPECT_EQ((words[{"host_master", 3, -1}]), 64U);
}

TEST(OptwebBoxes, SharesAreAllOfTheTime) {
  const OptwebOutcome r = run_optweb_yaml(box_mixture(), {}, with_boxes);
  ASSERT_EQ(r.error + r.failure, "");
  std::map<std::pair<NodeId, std::string>, double> share, time;
  for (const auto& row : r.report["tables"]["boxes"]["rows"]) {
    EXPECT_GE(row["share"].get<double>(), 0);
    EXPECT_EQ(row["kind"] == "idle", row["state"] == "idle");
    share[{row["node"], row["box"]}] += row["share"].get<double>();
    time[{row["node"], row["box"]}] += row["time"].get<double>() / row["places"].get<double>();
  }
  EXPECT_EQ(share.size(), 4 * (kOptwebBoxes - 2));  // nobody has sent_boxes or received_boxes
  for (const auto& [box, sum] : share) EXPECT_NEAR(sum, 100, 1e-9) << box.first << box.second;
  const double window = r.figure("run", "time");
  for (const auto& [box, sum] : time) EXPECT_NEAR(sum, window, 1e-6) << box.first << box.second;
  // The user logic's time is what the changeover switch says.
  EXPECT_NEAR(box_row(r, 0, "user_logic", "compute")["time"].get<double>(),
              r.report["tables"]["nodes"]["rows"][0]["user_time"].get<double>(), 1e-6);
}

// Results are the same whoever looks.
TEST(OptwebBoxes, ChangeNothing) {
  const OptwebOutcome with = run_optweb_yaml(box_mixture(), {}, with_boxes);
  const ScratchFolder folder;
  const OptwebOutcome waves =
      run_optweb_yaml(box_mixture(), {}, [&](OptwebRunOptions& o) { o.waves = folder.path("w.fst"); });
  const OptwebOutcome plain = run_optweb_yaml(box_mixture());
  ASSERT_EQ(plain.error + plain.failure, "");
  EXPECT_FALSE(plain.report["tables"].contains("boxes"));
  nlohmann::json without = with.report;
  without["tables"].erase("boxes");
  EXPECT_EQ(without, plain.report);
  EXPECT_EQ(waves.text, plain.text);
}

// Rendezvous of nodes in step: paths set in cycle 7, readiness sent (1), 64 on the link, registered (4); the gate opens
// 2 later. The words have stood there since 2 + 3 + 50 + 2 + 3 = 60.
TEST(OptwebBoxes, GateWaitsForReceivers) {
  const std::string yaml = "fabric: optweb\nnodes: 2\nmode: timing\nprogram:\n";
  const std::string send = "  - { op: transfer, source: 0, destination: 1, size: 32KiB }\n";
  const OptwebOutcome r = run_optweb_yaml(yaml + send, {}, with_boxes);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(box_cycles(r, 0, "gate", "gate"), 1 + 64 + 4 + 2);
  EXPECT_EQ(box_row(r, 0, "gate", "gate")["peer"], 1);
  EXPECT_EQ(box_cycles(r, 0, "readers", "memory"), 3 + 50 + 2 + 3);
  EXPECT_EQ(box_cycles(r, 0, "readers", "gate"), 7 + 71 - 60);
  EXPECT_EQ(box_cycles(r, 0, "readers", "words"), (1025 * 256 + 224) / 225);
  EXPECT_EQ(box_cycles(r, 0, "control_register", "setting"), 5);
  EXPECT_EQ(box_cycles(r, 0, "sequencer", "fetch"), 2);
  EXPECT_TRUE(box_row(r, 1, "gate", "gate").is_null());
  // From set on: the gate, the dropped word and the first one, the link.
  EXPECT_EQ(box_cycles(r, 1, "writers", "data"), 71 + 3 + 64);
  // A receiver that is 1,000 cycles late keeps the gate shut for as long.
  const std::string late = "  - { op: compute, time: 5us, at: [1] }\n";
  const std::string later = "  - { op: compute, time: 10us, at: [1] }\n";
  const OptwebOutcome a = run_optweb_yaml(yaml + late + send, {}, with_boxes);
  const OptwebOutcome b = run_optweb_yaml(yaml + later + send, {}, with_boxes);
  EXPECT_EQ(box_cycles(b, 0, "gate", "gate") - box_cycles(a, 0, "gate", "gate"), 1000);
  EXPECT_EQ(box_cycles(b, 1, "sequencer", "user") - box_cycles(a, 1, "sequencer", "user"), 1000);
}

// Words of nodes 0 and 1 wait at the root for those of node 3, which is late; all 32 but the one in the register.
TEST(OptwebBoxes, ReductionWaitsForTheLastNode) {
  const auto run = [](const std::string& time) {
    return run_optweb_yaml("fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: compute, time: " + time +
                               ", at: [3] }\n  - { op: reduce, size: 1KiB, root: 2 }\n",
                           {}, with_boxes);
  };
  const OptwebOutcome a = run("2us");
  const OptwebOutcome b = run("3us");
  ASSERT_EQ(a.error + a.failure, "");
  const auto moved = [&](const std::string& box, const std::string& state) {
    return box_cycles(b, 2, box, state) - box_cycles(a, 2, box, state);
  };
  EXPECT_EQ(moved("buffers", "others"), 2 * 200);
  EXPECT_EQ(moved("reduction", "data"), 200);
  EXPECT_EQ(moved("reduction", "words"), 0);
  EXPECT_EQ(box_row(b, 2, "reduction", "data")["peer"], 3);
  EXPECT_EQ(box_row(b, 2, "buffers", "others")["peer"], 3);
  EXPECT_EQ(box_row(b, 2, "buffers", "words")["most_words"], 31);
  EXPECT_EQ(box_row(b, 2, "reduction", "words")["words"], 32);
  // A root that is late, too, does not make them wait longer: first for their instruction, then for node 3.
  const ScratchFolder folder;
  const OptwebOutcome root = run_optweb_yaml(
      "fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: compute, time: 2us, at: [2] }\n"
      "  - { op: compute, time: 3us, at: [3] }\n  - { op: reduce, size: 1KiB, root: 2 }\n",
      {}, [&](OptwebRunOptions& o) {
        with_boxes(o);
        o.waves = folder.path("w.fst");
      });
  EXPECT_GT(box_cycles(root, 2, "buffers", "early"), 2 * 200);
  EXPECT_EQ(box_cycles(root, 2, "buffers", "early") + box_cycles(root, 2, "buffers", "others"),
            box_cycles(b, 2, "buffers", "others"));
  // The first of 32 words is taken in the cycle in which those of node 3 begin to come.
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const VcdSignal& words = vcd.signal("optweb.node[2].switch.buffers.from[0].words");
  std::uint64_t passes = 0;
  for (const VcdChange& c : vcd.signal("optweb.node[2].switch.buffers.from[0].state").changes) {
    if (c.value == "words") passes = c.time;
  }
  EXPECT_EQ(words.number_at(passes - 5000), 32U);
  EXPECT_EQ(words.number_at(passes), 31U);
}

// With messages at any time the key does the same: what the boxes of a node pass is what its links have carried.
TEST(OptwebBoxes, PassTheMessagesOfTraffic) {
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 4\nqos: { levels: { short: { message: 256B }, long: { message: 20KiB } } }\n"
      "traffic:\n  - { level: short, load: 0.02 }\n  - { level: long, load: 0.1 }\n"
      "run: { warm_up: 5us, measure: 100us }\nobserve: { boxes: { nodes: [1, 3] } }\n");
  ASSERT_EQ(r.error + r.failure, "");
  for (const NodeId n : {1U, 3U}) {
    std::uint64_t in = 0, out = 0;
    for (const auto& row : r.report["tables"]["links"]["rows"]) {
      const std::string link = row["link"];
      if (link.starts_with(fmt::format("node[{}] ->", n))) out += row["words"].get<std::uint64_t>();
      if (link.ends_with(fmt::format("-> node[{}]", n))) in += row["words"].get<std::uint64_t>();
    }
    EXPECT_GT(in, 1000U);
    EXPECT_EQ(box_row(r, n, "buffers", "words")["words"], in);
    EXPECT_EQ(box_row(r, n, "selectors", "words")["words"], out);
    EXPECT_GT(box_cycles(r, n, "gate", "gate"), 71);
  }
  EXPECT_TRUE(box_row(r, 0, "buffers", "words").is_null());
}

// A host takes turns with a reader: the words of its access slow the stream down as long as they pass.
TEST(OptwebBoxes, ReadersShowTurnsOfTheHost) {
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 2\nmode: timing\nprogram:\n"
      "  - { op: transfer, source: 0, destination: 1, size: 1MiB }\n"
      "host:\n  - { node: 0, op: read, at: 50us, stripe: 1, size: 32KiB }\n",
      {}, with_boxes);
  ASSERT_EQ(r.error + r.failure, "");
  EXPECT_EQ(box_cycles(r, 0, "readers", "host"), 2 * 1024) << "two turns a word";
  EXPECT_EQ(box_cycles(r, 0, "host_master", "words"), 2 * 1024);
  EXPECT_EQ(box_cycles(r, 0, "host_master", "memory"), 49);
}

// Only what lies between two times, of the nodes that are named.
TEST(OptwebBoxes, TableIsThatOfNodesAndTimes) {
  const auto window = [](Duration from, std::optional<Duration> until) {
    return run_optweb_yaml(box_mixture(), {}, [=](OptwebRunOptions& o) {
      o.boxes = OptwebBoxChoice{{1, 2}, from, until};
    });
  };
  const OptwebOutcome all = window(Duration{0}, {});
  const OptwebOutcome first = window(Duration{0}, Duration{20'003'000});
  const OptwebOutcome rest = window(Duration{20'003'000}, {});
  ASSERT_EQ(all.error + all.failure, "");
  std::size_t rows = 0;
  for (const auto& row : all.report["tables"]["boxes"]["rows"]) {
    const NodeId node = row["node"];
    EXPECT_TRUE(node == 1 || node == 2);
    double parts = 0;
    for (const OptwebOutcome* part : {&first, &rest}) {
      const nlohmann::json other = box_row(*part, node, row["box"], row["state"]);
      if (!other.is_null()) parts += other["time"].get<double>();
    }
    EXPECT_NEAR(parts, row["time"].get<double>(), 1e-6) << row.dump();
    ++rows;
  }
  EXPECT_GT(rows, 40U);
}

TEST(OptwebBoxes, KeysAreChecked) {
  const auto error = [](const std::string& boxes) {
    return bad_input("fabric: optweb\nnodes: 4\nprogram:\n  - { op: barrier }\nobserve:\n  boxes: " + boxes + "\n");
  };
  EXPECT_EQ(error("{}"), "");
  EXPECT_THAT(error("{ nodes: [1, 4] }"),
              HasSubstr("t.yaml:6:23: error: observe.boxes.nodes: expected nodes from 0 to 3, got 4"));
  EXPECT_THAT(error("{ from: 2us, until: 1us }"),
              HasSubstr("t.yaml:6:30: error: observe.boxes.until: must be after from (2us), got '1us'"));
  EXPECT_THAT(error("{ node: [1] }"), HasSubstr("did you mean 'nodes'?"));
}

// Signals against the table, which is made of spans: as long in a state, as many words at a time, nothing left.
TEST(OptwebBoxes, WavesAgreeWithTheTable) {
  const ScratchFolder folder;
  const OptwebOutcome r = run_optweb_yaml(box_mixture(), {}, [&](OptwebRunOptions& o) {
    with_boxes(o);
    o.waves = folder.path("w.fst");
  });
  ASSERT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(folder.path("w.fst"));
  const auto time_in = [&](const std::string& name, const std::string& value) {
    const VcdSignal& s = vcd.signal(name);
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < s.changes.size(); ++i) {
      if (s.changes[i].value != value) continue;
      out += (i + 1 < s.changes.size() ? s.changes[i + 1].time : vcd.last_time()) - s.changes[i].time;
    }
    return static_cast<std::int64_t>(out / 5000);
  };
  for (NodeId n = 0; n < 4; ++n) {
    const std::string node = fmt::format("optweb.node[{}].", n);
    EXPECT_EQ(time_in(node + "switch.control_register.state", "setting"),
              box_cycles(r, n, "control_register", "setting"));
    EXPECT_EQ(time_in(node + "switch.control_register.state", "set"), box_cycles(r, n, "control_register", "set"));
    EXPECT_EQ(time_in(node + "switch.reduction.state", "data"), box_cycles(r, n, "reduction", "data"));
    for (const char* state : {"early", "others", "words"}) {
      std::int64_t sum = 0;
      for (NodeId m = 0; m < 4; ++m) {
        if (m != n) sum += time_in(node + fmt::format("switch.buffers.from[{}].state", m), state);
      }
      EXPECT_EQ(sum, box_cycles(r, n, "buffers", state)) << n << state;
    }
    std::uint64_t most = 0;
    for (NodeId m = 0; m < 4; ++m) {
      if (m == n) continue;
      const VcdSignal& words = vcd.signal(node + fmt::format("switch.buffers.from[{}].words", m));
      for (const VcdChange& c : words.changes) most = std::max(most, words.number_at(c.time));
      EXPECT_EQ(words.number_at(vcd.last_time()), 0U) << "nothing is left";
    }
    // One word is in the register behind the buffer, and what waits is seen at cycles only.
    EXPECT_NEAR(static_cast<double>(most), box_row(r, n, "buffers", "words")["most_words"].get<double>(), 1.0);
  }
  for (const NodeId n : {1U, 3U}) {
    const std::string host = fmt::format("optweb.node[{}].host_master.state", n);
    EXPECT_EQ(time_in(host, "memory"), box_cycles(r, n, "host_master", "memory")) << n;
    EXPECT_EQ(time_in(host, n == 1 ? "reads" : "writes"), box_cycles(r, n, "host_master", "words")) << n;
    EXPECT_GT(time_in(host, "memory"), 0) << n;
  }
  EXPECT_EQ(time_in("optweb.node[0].changeover.position", "user"), box_cycles(r, 0, "user_logic", "compute"));
  EXPECT_FALSE(vcd.has("optweb.node[1].changeover.position"));
  EXPECT_TRUE(vcd.has("optweb.node[1].host_master.state"));
  EXPECT_FALSE(vcd.has("optweb.node[2].host_master.state"));
}

// Boxes and links that the programs do not use have no signals; all others move.
TEST(OptwebBoxes, SignalsAreThoseThatCanChange) {
  const ScratchFolder folder;
  const OptwebOutcome r = run_optweb_yaml(
      "fabric: optweb\nnodes: 4\nmode: timing\nprogram:\n  - { op: transfer, source: 0, destination: 1, size: 8KiB }\n"
      "  - { op: reduce, size: 1KiB, root: 0, group: [0, 1] }\n",
      {}, [&](OptwebRunOptions& o) { o.waves = folder.path("w.fst"); });
  ASSERT_EQ(r.error + r.failure, "");
  const Vcd vcd = read_fst(folder.path("w.fst"));
  std::set<std::string> still;
  for (std::string name : vcd.names()) {
    if (name.back() == ']' && name.find(':') != std::string::npos) name.erase(name.rfind('['));
    if (vcd.signal(name).changes.size() < 2) still.insert(name.substr(name.find('.') + 1));
    for (const char* unused : {"gate", "changeover", "host_master", "from[2]", "to[2]", "from[3]", "link[3]"}) {
      EXPECT_EQ(name.find(unused), std::string::npos) << name;
    }
  }
  for (const std::string& name : still) {
    EXPECT_TRUE(name.starts_with("node[2].") || name.starts_with("node[3].") ||
                name.find(".words") != std::string::npos || name.find("registered") != std::string::npos)
        << name;
  }
  EXPECT_LT(still.size() * 3, vcd.names().size());
}

}  // namespace
}  // namespace weft::test

// Boxes of a design's own that configurations name: between the boxes that words pass, in place of the reduction unit,
// and behind the changeover switch.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "fabrics/optweb/receiving_side.h"
#include "fabrics/optweb/user/box_catalog.h"
#include "run/optweb/optweb_family.h"
#include "run/optweb/optweb_run.h"
#include "support/child.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;

constexpr Cycle kBoxLatency = 7;

/// Inverts every byte and adds its place, so that it undoes itself neither in another order nor at another place.
class Inverts final : public sc_core::sc_module, public WordBox {
 public:
  Inverts(sc_core::sc_module_name name, Cycle cycles, std::vector<std::string>& log)
      : sc_module(name), cycles_(cycles), log_(log) {}
  Cycle latency(const PassingWords&) const override { return cycles_; }
  void see(const PassingWords& w, std::uint64_t offset, std::span<std::byte> bytes) override {
    log_.push_back(fmt::format("{} {}+{}/{}", basename(), offset, bytes.size(), w.bytes));
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= static_cast<std::byte>(0xff ^ (offset + i));
  }

 private:
  Cycle cycles_;
  std::vector<std::string>& log_;
};

std::uint32_t larger_int16(std::uint32_t a, std::uint32_t b) {
  std::array<std::int16_t, 2> x{}, y{};
  std::memcpy(x.data(), &a, sizeof a);
  std::memcpy(y.data(), &b, sizeof b);
  for (std::size_t i = 0; i < 2; ++i) x[i] = std::max(x[i], y[i]);
  std::memcpy(&a, x.data(), sizeof a);
  return a;
}

class LargestUnit final : public ReductionUnit {
 public:
  using ReductionUnit::ReductionUnit;
  Cycle passed(Cycle at, std::size_t streams) const override {
    return ReductionUnit::passed(at, streams) + kBoxLatency;
  }
  void combine(const ReducedWords& w) override {
    optweb::reduce(larger_int16, w.streams, w.memory, w.address, w.bytes, w.stop);
  }
};

/// Works for three times the time of the instruction.
struct SlowLogic final : UserLogic {
  Cycle compute(const optweb::MachineInstruction& i, optweb::SparseMemory&) override {
    return 3 * static_cast<Cycle>(i.size);
  }
};

struct TestBoxes : OptwebBoxes {
  std::vector<std::string> log;
  TestBoxes() {
    const auto inverts = [this](Cycle cycles) {
      return [this, cycles](const OptwebModuleSite& site) { return std::make_unique<Inverts>(site.name, cycles, log); };
    };
    words.add("inverts", {"inverts bytes", inverts(kBoxLatency)});
    words.add("early", {"", inverts(-1)});
    const auto largest = [](const OptwebModuleSite& site) {
      return std::make_unique<LargestUnit>(site.name, site.parameters);
    };
    reduction.add("largest_int16", {"largest of int16", largest, larger_int16});
    reduction.add("secret", {"", largest});
    user_logic.add("slow", {"", [](NodeId, const OptwebConfig&) { return std::make_unique<SlowLogic>(); }});
  }
};

struct OwnRun {
  std::string error;  ///< thrown before the run
  std::string failure;
  std::string warnings;
  std::string implementation;
  std::vector<std::string> log;
  std::map<std::string, std::uint64_t> words;  ///< by box, in state words of the table of boxes, over all nodes
  Cycle end = 0;
};

OwnRun run_boxes(const std::string& yaml) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    TestBoxes boxes;
    const OptwebSystemConfig config = parse_optweb_config(yaml, "t.yaml", ".", {}, diagnostics);
    const OptwebPlatform platform(config, builtin_blocks<OptwebRtlBlocks>(), boxes);
    OptwebRunOptions options;
    options.boxes = config.boxes;
    const OptwebRunResult r = run_optweb(platform, options);
    std::map<std::string, std::uint64_t> words;
    const auto report = nlohmann::json::parse(report_json(r.report));
    if (config.boxes) {
      for (const auto& row : report["tables"]["boxes"]["rows"]) {
        words[row["box"].get<std::string>()] += row["state"] == "words" ? row["words"].get<std::uint64_t>() : 0;
      }
    }
    std::string warnings;
    for (const Diagnostic& d : platform.warnings()) warnings += d.text() + "\n";
    return nlohmann::json{{"failure", r.failure}, {"warnings", warnings}, {"implementation", r.report.implementation},
                          {"log", boxes.log},     {"words", words},       {"end", r.end / 5000}}
        .dump();
  });
  OwnRun out;
  if (!child.ok) {
    out.error = child.text;
    return out;
  }
  const auto all = nlohmann::json::parse(child.text);
  out.failure = all["failure"].get<std::string>();
  out.warnings = all["warnings"].get<std::string>();
  out.implementation = all["implementation"].get<std::string>();
  out.log = all["log"].get<std::vector<std::string>>();
  out.words = all["words"].get<std::map<std::string, std::uint64_t>>();
  out.end = all["end"].get<Cycle>();
  return out;
}

const std::string kTwo = "fabric: optweb\nnodes: 2\nverify: data\nprogram:\n";
const std::string kTransfer = kTwo + "  - { op: transfer, source: 0, destination: 1, size: 8000B }\n";
const std::string kReduced = kTwo + "  - { op: allreduce, size: 8000B }\n";

// Words that are changed on both sides of the links are those that were sent; each box has seen them once, in their
// order, and taken its time.
TEST(OptwebOwnBoxes, StandOnThePathOfWords) {
  const OwnRun plain = run_boxes(kTransfer);
  ASSERT_EQ(plain.error + plain.failure, "");
  const OwnRun both = run_boxes(kTransfer + "boxes: { sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(both.error + both.failure, "");
  EXPECT_EQ(both.log, (std::vector<std::string>{"sent[0] 0+8000/8000", "received[0] 0+8000/8000"}));
  EXPECT_EQ(both.end - plain.end, 2 * kBoxLatency);
  EXPECT_THAT(both.implementation, HasSubstr("boxes of sent words: inverts; boxes of received words: inverts"));
  EXPECT_EQ(plain.implementation.find("boxes"), std::string::npos);

  const OwnRun twice = run_boxes(kTransfer + "boxes: { received: [inverts, inverts] }\n");
  EXPECT_EQ(twice.error + twice.failure, "");
  EXPECT_EQ(twice.log, (std::vector<std::string>{"received[0] 0+8000/8000", "received[1] 0+8000/8000"}));
  EXPECT_EQ(twice.end - plain.end, 2 * kBoxLatency);
}

TEST(OptwebOwnBoxes, ChangeWords) {
  for (const std::string side : {"sent", "received"}) {
    const OwnRun r = run_boxes(kTransfer + "boxes: { " + side + ": [inverts] }\n");
    EXPECT_THAT(r.failure, HasSubstr("the memory of node 1 is wrong from byte")) << side;
  }
  const OwnRun early = run_boxes(kTransfer + "boxes: { received: [early] }\n");
  EXPECT_THAT(early.failure, HasSubstr("optweb.node[1].switch.received[0]: words cannot leave 1 cycles before"));
}

// More than a page, by rendezvous, in parts.
TEST(OptwebOwnBoxes, SeeLongTransfersInParts) {
  const OwnRun r = run_boxes(kTwo +
                             "  - { op: transfer, source: 0, destination: 1, size: 40000B }\n"
                             "boxes: { sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(r.error + r.failure, "");
  EXPECT_EQ(r.log, (std::vector<std::string>{"sent[0] 0+16384/40000", "sent[0] 16384+16384/40000",
                                             "sent[0] 32768+7232/40000", "received[0] 0+16384/40000",
                                             "received[0] 16384+16384/40000", "received[0] 32768+7232/40000"}));
}

// The same words as the boxes beside them.
TEST(OptwebOwnBoxes, AreInTheTableOfBoxes) {
  const std::string observed = kReduced + "observe: { boxes: {} }\n";
  const OwnRun plain = run_boxes(observed);
  EXPECT_EQ(plain.words.count("sent_boxes") + plain.words.count("received_boxes"), 0U);
  const OwnRun own = run_boxes(observed + "boxes: { sent: [inverts], received: [inverts] }\n");
  ASSERT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.words.at("sent_boxes"), 2U * 250U);
  EXPECT_EQ(own.words.at("sent_boxes"), own.words.at("readers"));
  EXPECT_EQ(own.words.at("received_boxes"), own.words.at("crossbar"));
}

TEST(OptwebOwnBoxes, StandAtSingleNodes) {
  const auto with = [&](const std::string& more) { return run_boxes(kReduced + more); };
  const OwnRun plain = with("");
  // Each node has words of its own and of the other one: they leave the one inverted, and are put right at the other.
  const OwnRun some = with(
      "boxes: { sent: [inverts], received: [inverts] }\n"
      "instances: { 'node[0]': { boxes: { sent: [], received: [inverts] } } }\n");
  EXPECT_THAT(some.failure, HasSubstr("the memory of node 0 is wrong"));
  const OwnRun none = with(
      "boxes: { sent: [inverts], received: [inverts] }\n"
      "instances: { 'node[0..1]': { boxes: { sent: [], received: [] } } }\n");
  EXPECT_EQ(none.error + none.failure, "");
  EXPECT_EQ(none.end, plain.end);
}

// The reduction unit of another type behind the boxes of received words, held against the reference.
TEST(OptwebOwnBoxes, ReduceOtherTypes) {
  const OwnRun plain = run_boxes(kReduced);
  ASSERT_EQ(plain.error + plain.failure, "");
  const OwnRun own = run_boxes(kReduced + "boxes: { reduction: largest_int16 }\n");
  EXPECT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.end - plain.end, kBoxLatency);
  const OwnRun behind =
      run_boxes(kReduced + "boxes: { reduction: largest_int16, sent: [inverts], received: [inverts] }\n");
  EXPECT_EQ(behind.error + behind.failure, "");
  EXPECT_EQ(behind.end - plain.end, 3 * kBoxLatency);
  EXPECT_EQ(behind.log.size(), 2U + 4U);  // a stream of each node; at each node those of both
  const OwnRun one = run_boxes(kReduced + "instances: { 'node[1]': { boxes: { reduction: largest_int16 } } }\n");
  EXPECT_EQ(one.error + one.failure, "");
}

TEST(OptwebOwnBoxes, WorkAsUserLogic) {
  const std::string compute = "fabric: optweb\nnodes: 2\nprogram:\n  - { op: compute, time: 500ns, at: [0] }\n";
  const OwnRun plain = run_boxes(compute);
  const OwnRun own = run_boxes(compute + "boxes: { user_logic: slow }\n");
  EXPECT_EQ(own.error + own.failure, "");
  EXPECT_EQ(own.end - plain.end, 200);
}

TEST(OptwebOwnBoxes, AreCheckedWhereTheyAreNamed) {
  const auto error = [](const std::string& yaml) { return run_boxes(yaml).error; };
  EXPECT_THAT(error(kReduced + "boxes: { reduction: largest_int61 }\n"),
              HasSubstr("t.yaml:6:21: error: no reduction unit 'largest_int61' is registered; did you mean "
                        "'largest_int16'?"));
  EXPECT_THAT(error(kTransfer + "boxes: { sent: [inverts, nothing] }\n"),
              HasSubstr("t.yaml:6:26: error: no box on the path of words 'nothing' is registered (there is early, "
                        "inverts)"));
  EXPECT_THAT(error(kTransfer + "boxes: { recieved: [inverts] }\n"), HasSubstr("did you mean 'received'"));
  EXPECT_THAT(error(kReduced + "boxes: { reduction: secret }\n"),
              HasSubstr("t.yaml:6:21: error: boxes.reduction: verify: data needs to know what 'secret' makes"));
  EXPECT_THAT(error(kTwo + "  - { op: compute, time: 5ns, at: [0] }\nboxes: { user_logic: slow }\n"),
              HasSubstr("t.yaml:6:22: error: boxes.user_logic: verify: data does not know what 'slow' writes"));
  const OwnRun unused = run_boxes(kTransfer + "boxes: { reduction: largest_int16, user_logic: slow }\n");
  EXPECT_THAT(unused.warnings, HasSubstr("boxes.reduction has no effect"));
  EXPECT_THAT(unused.warnings, HasSubstr("boxes.user_logic has no effect"));
}

TEST(OptwebOwnBoxes, HaveNamesOfTheirOwn) {
  OptwebBoxes boxes;
  const auto make = [](NodeId, const OptwebConfig&) { return std::make_unique<SlowLogic>(); };
  const auto problem = [&](const std::string& name, UserLogicBox box) -> std::string {
    try {
      boxes.user_logic.add(name, std::move(box));
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(problem("slow", {"works slowly", make}), "");
  EXPECT_EQ(problem("slow", {"", make}), "a user logic 'slow' is registered already");
  EXPECT_EQ(problem("so slow", {"", make}), "'so slow' is no name of a box: letters, digits and underscores");
  EXPECT_EQ(problem("none", {}), "the user logic 'none' has no function that makes it");
  EXPECT_EQ(boxes.user_logic.names(), std::vector<std::string>{"slow"});
}

}  // namespace
}  // namespace weft::test

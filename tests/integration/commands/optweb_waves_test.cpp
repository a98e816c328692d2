// Times in the waveform of an OPTWEB network against its report, with clocks that are aligned and with clocks of the
// nodes' own: what the RTL says of instructions, and what comes in over the links, are in the cycle they belong to.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "support/program.h"
#include "support/scratch.h"
#include "support/vcd.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kOptwebPeriod = 5000;  // ps
constexpr std::size_t kNodes = 3;

struct Clocks {
  std::string name, yaml;
  std::vector<std::uint64_t> phases;  // ps
};

class OptwebWaves : public ::testing::TestWithParam<Clocks> {
 protected:
  void SetUp() override {
    folder_.write("in.yaml", "fabric: optweb\nnodes: 3\n" + GetParam().yaml +
                                 "sequencer: { implementation: lockstep }\ndmac: { stripe_address: lockstep }\n"
                                 "link: { implementation: lockstep }\n"
                                 "program:\n  - { op: barrier }\n  - { op: alltoall, size: 4KiB }\n"
                                 "  - { op: compute, time: 700ns }\n  - { op: barrier }\n");
    const ProgramResult r = weft({"run", "in.yaml", "--out", "out", "--waves", "w.fst", "--json"}, {folder_.path()});
    ASSERT_EQ(r.status, 0) << r.err;
    rows_ = nlohmann::json::parse(r.out)["tables"]["instructions"]["rows"];
    ASSERT_EQ(rows_.size(), 4U);
    vcd_.emplace(read_fst(folder_.path("w.fst")));
  }
  static std::string node(std::size_t n) { return fmt::format("optweb.node[{}].", n); }
  const VcdSignal& rtl(std::size_t n, const std::string& pin) const {
    return vcd_->signal(node(n) + "sequencer_rtl.command_sequencer." + pin);
  }
  // Picoseconds of a cell in microseconds or nanoseconds.
  std::uint64_t cell(std::size_t row, const std::string& column, double ps) const {
    return static_cast<std::uint64_t>(std::llround(rows_[row][column].get<double>() * ps));
  }
  // Times at which a signal becomes `value`.
  static std::vector<std::uint64_t> becomes(const VcdSignal& signal, const std::string& value) {
    std::vector<std::uint64_t> out;
    for (const VcdChange& c : signal.changes) {
      if (c.value == value) out.push_back(c.time);
    }
    return out;
  }

  ScratchFolder folder_;
  nlohmann::json rows_;
  std::optional<Vcd> vcd_;
};

// completed_o is high in the last cycle of an instruction, with its length beside it; what the report says follows.
TEST_P(OptwebWaves, InstructionsOfTheRtlAreThoseOfTheReport) {
  std::vector<std::vector<std::uint64_t>> done;
  for (std::size_t n = 0; n < kNodes; ++n) {
    done.push_back(becomes(rtl(n, "completed_o"), "1"));
    ASSERT_EQ(done[n].size(), rows_.size());
  }
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    std::uint64_t start = 0, first = ~std::uint64_t{0}, last = 0;
    for (std::size_t n = 0; n < kNodes; ++n) {
      const std::uint64_t at = done[n][row];
      EXPECT_EQ(at % kOptwebPeriod, GetParam().phases[n]);
      const std::uint64_t elapsed = rtl(n, "elapsed_o").number_at(at);
      EXPECT_GT(elapsed, 3U);
      EXPECT_NE(rtl(n, "done_i").number_at(at), 0U);
      EXPECT_EQ(rtl(n, "state_q").number_at(at), 3U) << "runs until it is complete";
      if (row + 1 < rows_.size()) {  // behind the last one the waveform ends
        EXPECT_EQ(rtl(n, "elapsed_o").number_at(at + kOptwebPeriod), 0U);
        EXPECT_NE(rtl(n, "state_q").number_at(at + kOptwebPeriod), 3U);
      }
      start = std::max(start, at + kOptwebPeriod - elapsed * kOptwebPeriod);
      first = std::min(first, at + kOptwebPeriod);
      last = std::max(last, at + kOptwebPeriod);
    }
    EXPECT_EQ(cell(row, "start", 1e3), start) << row;
    EXPECT_EQ(cell(row, "completed", 1e3), last) << row;
    if (!rows_[row]["jitter"].is_null()) {
      EXPECT_EQ(cell(row, "jitter", 1e3), last - first) << row;
    }
  }
}

// A notification is under way for 16 cycles of the sender and 31 nominal periods behind the cycle it is on the lane;
// then from the next edge of the receiver on for 17 of its cycles, the last of which shows it. 8 more, and the
// sequencer knows that the barrier is complete.
TEST_P(OptwebWaves, WhatComesInIsAtTheReceiver) {
  for (const std::size_t row : {0U, 3U}) {
    for (std::size_t j = 0; j < kNodes; ++j) {
      std::uint64_t latest = 0;
      for (std::size_t i = 0; i < kNodes; ++i) {
        if (i == j) continue;
        const auto out = becomes(vcd_->signal(node(i) + fmt::format("link[{}].out", j)), "note");
        const auto in = becomes(vcd_->signal(node(j) + fmt::format("link[{}].in", i)), "note");
        ASSERT_EQ(out.size(), in.size());
        const std::size_t k = row == 0 ? 0 : out.size() - 1;
        const std::uint64_t there = out[k] + (1 + 16 + 31) * kOptwebPeriod;
        const std::uint64_t phase = GetParam().phases[j];
        const std::uint64_t edge = phase + (there - phase + kOptwebPeriod - 1) / kOptwebPeriod * kOptwebPeriod;
        EXPECT_EQ(in[k], edge + 16 * kOptwebPeriod) << i << " to " << j;
        latest = std::max(latest, in[k]);
      }
      EXPECT_EQ(becomes(rtl(j, "completed_o"), "1")[row], latest + 8 * kOptwebPeriod) << j;
    }
  }
}

// Runs of data are as long at one end as at the other, but for a crossing.
TEST_P(OptwebWaves, DataComeInAsLongAsTheyGoOut) {
  for (std::size_t i = 0; i < kNodes; ++i) {
    for (std::size_t j = 0; j < kNodes; ++j) {
      if (i == j) continue;
      const VcdSignal& out = vcd_->signal(node(i) + fmt::format("link[{}].out", j));
      const VcdSignal& in = vcd_->signal(node(j) + fmt::format("link[{}].in", i));
      ASSERT_EQ(out.changes.size(), in.changes.size());
      std::size_t runs = 0;
      for (std::size_t k = 0; k < out.changes.size(); ++k) {
        ASSERT_EQ(out.changes[k].value, in.changes[k].value);
        if (k == 0) continue;  // the value it begins with
        const std::uint64_t under_way = in.changes[k].time - out.changes[k].time;
        EXPECT_GE(under_way, 64 * kOptwebPeriod);
        EXPECT_LT(under_way, 65 * kOptwebPeriod);
        runs += out.changes[k].value == "data" ? 1 : 0;
      }
      EXPECT_EQ(runs, 1U);
    }
  }
}

// The model's view of the sequencer and the registers of the RTL say the same in every cycle.
TEST_P(OptwebWaves, ModelAndRtlAreInTheSameState) {
  for (std::size_t n = 0; n < kNodes; ++n) {
    const VcdSignal& clock = rtl(n, "clk_i");
    std::size_t cycles = 0;
    for (const std::uint64_t edge : becomes(clock, "1")) {
      ASSERT_EQ(edge % kOptwebPeriod, GetParam().phases[n]);
      if (edge + kOptwebPeriod / 2 <= vcd_->last_time()) {
        ASSERT_EQ(clock.at(edge + kOptwebPeriod / 2), "0");
      }
      const std::string text = vcd_->signal(node(n) + "sequencer.state").at(edge);
      const std::uint64_t state = rtl(n, "state_q").number_at(edge);
      ASSERT_EQ(text, state == 0 ? "idle" : state == 3 ? "run" : "fetch") << n << " at " << edge;
      ++cycles;
    }
    EXPECT_GT(cycles, 300U);
  }
}

// Several addresses are asked for in one cycle; the last one is there in the cycle after.
TEST_P(OptwebWaves, StripeAddressesFollowTheirRequests) {
  for (std::size_t n = 0; n < kNodes; ++n) {
    const std::string path = node(n) + "m_dmac.stripe_address_rtl.stripe_address.";
    const auto requests = becomes(vcd_->signal(path + "req_valid_i"), "1");
    ASSERT_EQ(requests.size(), 1U);
    const auto response = [&](std::uint64_t cycle) {
      return vcd_->signal(path + "rsp_valid_o").at(requests[0] + cycle * kOptwebPeriod);
    };
    EXPECT_EQ(vcd_->signal(path + "req_valid_i").at(requests[0] + kOptwebPeriod), "0");
    EXPECT_EQ(response(1), "1");
    EXPECT_EQ(response(2), "0");
  }
}

// Pins of a link's ends, word by word where anything changes. A word cycle behind the lane of the model, at both ends:
// a notification is taken in the cycle in which the model has it there; a run shows all of its first words and the
// last.
TEST_P(OptwebWaves, LanesAreSeenAtThePins) {
  for (std::size_t i = 0; i < kNodes; ++i) {
    for (std::size_t j = 0; j < kNodes; ++j) {
      if (i == j) continue;
      const auto pin = [&](std::size_t a, std::size_t b, const char* end, const char* name) -> const VcdSignal& {
        return vcd_->signal(fmt::format("{}switch.link[{}].{}_rtl.link_sync.{}", node(a), b, end, name));
      };
      const auto notes = becomes(vcd_->signal(node(i) + fmt::format("link[{}].out", j)), "note");
      EXPECT_EQ(becomes(pin(i, j, "transmitter", "tx_notify_i"), "1"), notes);
      // Taken: on the lane a cycle later, of which the other end knows when it has fallen.
      const VcdSignal& active = pin(i, j, "transmitter", "link_active_o");
      for (const std::uint64_t at : notes) {
        EXPECT_EQ(active.at(at), "0");
        EXPECT_EQ(active.at(at + kOptwebPeriod), "1");
      }
      EXPECT_EQ(becomes(pin(j, i, "receiver", "rx_notify_o"), "1").size(), notes.size());
      // 4 KiB are 128 words, a run that begins with the first one.
      const auto data = becomes(vcd_->signal(node(i) + fmt::format("link[{}].out", j)), "data");
      ASSERT_EQ(data.size(), 1U);
      EXPECT_EQ(becomes(pin(i, j, "transmitter", "tx_valid_i"), "1"), data);
      const VcdSignal& words = pin(j, i, "receiver", "rx_data_o");
      std::vector<std::uint64_t> seen;
      for (const VcdChange& c : words.changes) {
        const std::uint64_t word = words.number_at(c.time);
        if (word != 0) seen.push_back(word);
      }
      ASSERT_GT(seen.size(), 8U);
      EXPECT_LT(seen.size(), 32U) << "the middle is left out";
      for (std::uint64_t w = 0; w < 8; ++w) EXPECT_EQ(seen[w], w + 1);
      EXPECT_EQ(seen.back(), 128U);
    }
  }
}

// The view names nothing that never moves.
TEST_P(OptwebWaves, TheViewMoves) {
  std::istringstream view(slurp(folder_.path("w.gtkw")));
  std::size_t signals = 0;
  for (std::string line; std::getline(view, line);) {
    const std::size_t at = line.find("optweb.");
    if (at == std::string::npos || line[0] == '-' || line[0] == '[') continue;
    std::string name = line.substr(at);
    if (const std::size_t range = name.rfind('['); name.back() == ']' && name.find(':', range) != std::string::npos) {
      name.erase(range);
    }
    ++signals;
    EXPECT_GT(vcd_->signal(name).changes.size(), 1U) << line;
  }
  EXPECT_GT(signals, 30U);
}

INSTANTIATE_TEST_SUITE_P(
    Clocks, OptwebWaves,
    ::testing::Values(Clocks{"aligned", "", {0, 0, 0}},
                      Clocks{"own", "clocks: { phases: [10ps, 2500ps, 4999ps] }\n", {10, 2500, 4999}}),
    [](const auto& chosen) { return chosen.param.name; });

}  // namespace
}  // namespace weft::test

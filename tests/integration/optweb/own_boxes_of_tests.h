#pragma once
// Boxes of a design's own that tests register, and runs of networks that name them.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
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

inline constexpr Cycle kBoxLatency = 7;

/// Inverts every byte and adds its place, so that it undoes itself neither in another order nor at another place.
class Inverts final : public sc_core::sc_module, public WordBox {
 public:
  Inverts(sc_core::sc_module_name name, Cycle cycles, std::vector<std::string>& log)
      : sc_module(name), cycles_(cycles), log_(log) {}
  Cycle latency(const PassingWords&) const override { return cycles_; }
  void see(const PassingWords& w, std::uint64_t offset, std::span<std::byte> bytes) override {
    log_.push_back(fmt::format("{} {}+{}/{}", basename(), offset, bytes.size(), w.bytes));
    seen_ += bytes.size();
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] ^= static_cast<std::byte>(0xff ^ (offset + i));
  }
  void trace(BoxTrace& t) const override {
    t.bits("seen", 12, [this] { return seen_; });
    t.text("half", [this] { return std::string(seen_ == 0 ? "" : seen_ < 8000 ? "first" : "second"); });
  }

 private:
  std::uint64_t seen_ = 0;
  Cycle cycles_;
  std::vector<std::string>& log_;
};

/// Writes down the paths through it.
class Paths final : public sc_core::sc_module, public WordBox {
 public:
  Paths(sc_core::sc_module_name name, std::vector<std::string>& log) : sc_module(name), log_(log) {}
  Cycle latency(const PassingWords&) const override { return 0; }
  void see(const PassingWords&, std::uint64_t, std::span<std::byte>) override { note("bytes", {}); }

 protected:
  void opens(const WordRoute& route) override { note("opens", route); }
  void closes(const WordRoute& route) override { note("closes", route); }

 private:
  void note(const char* what, const WordRoute& r) {
    log_.push_back(fmt::format("{} {}", name(), what));
    if (!r.ports.empty()) log_.back() += fmt::format(" {} ports, {} words", r.ports.size(), r.words);
  }
  std::vector<std::string>& log_;
};

/// Adds signals that cannot be.
class Traces final : public sc_core::sc_module, public WordBox {
 public:
  using Names = std::vector<std::pair<std::string, std::uint32_t>>;
  Traces(sc_core::sc_module_name name, Names names) : sc_module(name), names_(std::move(names)) {}
  Cycle latency(const PassingWords&) const override { return 0; }
  void see(const PassingWords&, std::uint64_t, std::span<std::byte>) override {}
  void trace(BoxTrace& t) const override {
    for (const auto& [name, width] : names_) t.bits(name, width, [] { return 0U; });
  }

 private:
  Names names_;
};

/// Of two int16 in each.
inline std::uint32_t larger_int16(std::uint32_t a, std::uint32_t b) {
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
    ++combined_;
  }
  void trace(BoxTrace& t) const override {
    t.bits("combined", 8, [this] { return combined_; });
  }

 private:
  std::uint64_t combined_ = 0;
};

/// Works for three times the time of the instruction.
struct SlowLogic final : UserLogic {
  Cycle compute(const optweb::MachineInstruction& i, optweb::SparseMemory&) override {
    ++calls_;
    return 3 * static_cast<Cycle>(i.size);
  }
  void trace(BoxTrace& t) const override {
    t.text("calls", [this] { return std::string(calls_, '|'); });
  }

 private:
  std::size_t calls_ = 0;
};

struct TestBoxes : OptwebBoxes {
  std::vector<std::string> log;
  TestBoxes() {
    const auto inverts = [this](Cycle cycles) {
      return [this, cycles](const OptwebModuleSite& site) { return std::make_unique<Inverts>(site.name, cycles, log); };
    };
    words.add("inverts", {"inverts bytes", inverts(kBoxLatency)});
    words.add("early", {"", inverts(-1)});
    words.add("paths", {"", [this](const OptwebModuleSite& s) { return std::make_unique<Paths>(s.name, log); }});
    const auto traces = [this](const std::string& name, const Traces::Names& names) {
      words.add(name, {"", [names](const OptwebModuleSite& s) { return std::make_unique<Traces>(s.name, names); }});
    };
    traces("wide", {{"x", 65}});
    traces("twice", {{"x", 3}, {"x", 4}});
    traces("taken", {{"words_in", 1}});
    traces("split", {{"a.b", 1}});
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

inline OwnRun run_boxes(const std::string& yaml, const std::string& waves = {}) {
  const ChildResult child = in_child([&] {
    Diagnostics diagnostics;
    TestBoxes boxes;
    const OptwebSystemConfig config = parse_optweb_config(yaml, "t.yaml", ".", {}, diagnostics);
    const OptwebPlatform platform(config, builtin_blocks<OptwebRtlBlocks>(), boxes);
    OptwebRunOptions options;
    options.boxes = config.boxes;
    options.waves = waves;
    options.shown = config.waves;
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

inline const std::string kTwoNodes = "fabric: optweb\nnodes: 2\nverify: data\nprogram:\n";
inline const std::string kOneTransfer = kTwoNodes + "  - { op: transfer, source: 0, destination: 1, size: 8000B }\n";
inline const std::string kOneReduction = kTwoNodes + "  - { op: allreduce, size: 8000B }\n";

}  // namespace weft::test

// Length of a run: a window of a given length, or what it takes until mean latencies are known.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/packet/keys/packet_resolver.h"

namespace weft {
namespace {

// Hundredths of a percent.
double share(std::uint64_t parts) { return static_cast<double>(parts) / 10'000; }

}  // namespace

void PacketResolver::run() {
  const RawPacketRun& r = raw_.run.value;
  PacketRunConfig& out = out_.run;
  out.until = r.until.value;
  out.warm_up = r.warm_up.value;
  out.measure = r.measure.value;
  out.drain = r.drain.value;
  out.settle = r.settle.value;
  out.confidence = share(r.confidence.value);
  out_.message_log = raw_.observe.value.message_log.value;
  if (r.measure.valid && r.measure.value < out_.link.period) {
    diagnostics_.error(r.measure.where,
                       fmt::format("run.measure: shorter than one cycle ({})", to_string(out_.link.period)));
  }
  if (!r.until.valid) return;
  const bool steady = out.until == RunUntil::steady;
  const auto only_steady = [](const char* key) {
    return fmt::format("run.{} has no effect with run.until 'window'", key);
  };
  warn_unused(r.half_width, steady, only_steady("half_width"), diagnostics_);
  warn_unused(r.at_most, steady, only_steady("at_most"), diagnostics_);
  warn_unused(r.levels, steady, only_steady("levels"), diagnostics_);
  if (steady) run_until_steady(r);
}

void PacketResolver::run_until_steady(const RawPacketRun& r) {
  PacketRunConfig& out = out_.run;
  out.half_width = share(r.half_width.value);
  out.at_most = r.at_most.value;
  const Duration least{r.warm_up.value.ps + r.measure.value.ps};
  if (r.at_most.valid && r.warm_up.valid && r.measure.valid && out.at_most < least) {
    diagnostics_.error(r.at_most.where,
                       fmt::format("run.at_most: expected at least {} (run.warm_up and run.measure), got '{}'",
                                   to_string(least), to_string(out.at_most)));
  }
  out.levels = controlled_levels(r);
}

// A trace is no traffic that goes on.
std::vector<std::uint32_t> PacketResolver::controlled_levels(const RawPacketRun& r) {
  std::vector<std::uint32_t> busy;
  for (std::uint32_t l = 0; l < out_.levels.size(); ++l) {
    const bool sends = std::any_of(out_.streams.begin(), out_.streams.end(),
                                   [&](const StreamConfig& s) { return s.sl == l && s.load > 0; });
    if (sends) busy.push_back(l);
  }
  if (has_programs(raw_) || out_.levels.empty() || (raw_.traffic.given && !raw_.traffic.valid)) return busy;
  if (busy.empty()) {
    if (diagnostics_.errors() > 0) return busy;  // of a stream, perhaps
    diagnostics_.error(r.until.where,
                       "run.until: steady needs traffic that goes on, expected a stream in 'traffic' with a load "
                       "above 0");
    return busy;
  }
  if (!r.levels.given || !r.levels.valid) return busy;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < r.levels.value.size(); ++i) {
    const auto& word = r.levels.value[i];
    const std::string path = fmt::format("run.levels.{}", i);
    const auto level = level_of(word.value, word.where, path);
    if (!level) continue;
    if (std::find(out.begin(), out.end(), *level) != out.end()) {
      diagnostics_.error(word.where, fmt::format("{}: '{}' stands there twice", path, word.value));
    } else if (std::find(busy.begin(), busy.end(), *level) == busy.end()) {
      diagnostics_.error(word.where, fmt::format("{}: '{}' has no stream in 'traffic' with a load above 0, so its mean "
                                                 "latency cannot be controlled",
                                                 path, word.value));
    } else {
      out.push_back(*level);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace weft

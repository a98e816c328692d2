// Length of a run: a window of a given length, or what it takes until mean latencies are known.

#include <fmt/format.h>

#include <algorithm>

#include "network/keys/network_schema.h"
#include "workload/traffic_schema.h"

namespace weft {
namespace {

// Hundredths of a percent.
double share(std::uint64_t parts) { return static_cast<double>(parts) / 10'000; }

// Services with traffic that goes on: a trace does not.
std::vector<std::uint32_t> busy_services(const RunSubject& subject) {
  std::vector<std::uint32_t> busy;
  for (std::uint32_t l = 0; l < subject.services.size(); ++l) {
    const bool sends = std::any_of(subject.streams.begin(), subject.streams.end(),
                                   [&](const StreamConfig& s) { return s.sl == l && s.load > 0; });
    if (sends) busy.push_back(l);
  }
  return busy;
}

std::vector<std::uint32_t> controlled_services(const RawRun& r, const RunSubject& subject, Diagnostics& diagnostics) {
  const std::vector<std::uint32_t> busy = busy_services(subject);
  if (subject.programs || subject.services.empty() || !subject.streams_known) return busy;
  if (busy.empty()) {
    if (diagnostics.errors() > 0) return busy;  // of a stream, perhaps
    diagnostics.error(r.until.where,
                      "run.until: steady needs continuous traffic, expected a stream in 'traffic' with a load "
                      "above 0");
    return busy;
  }
  if (!r.levels.given || !r.levels.valid) return busy;
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < r.levels.value.size(); ++i) {
    const auto& word = r.levels.value[i];
    const std::string path = fmt::format("run.levels.{}", i);
    const auto level = service_of(word.value, subject.services, word.where, path, diagnostics);
    if (!level) continue;
    if (std::find(out.begin(), out.end(), *level) != out.end()) {
      diagnostics.error(word.where, fmt::format("{}: '{}' stands there twice", path, word.value));
    } else if (std::find(busy.begin(), busy.end(), *level) == busy.end()) {
      diagnostics.error(word.where, fmt::format("{}: '{}' has no stream in 'traffic' with a load above 0, so its mean "
                                                "latency cannot be controlled",
                                                path, word.value));
    } else {
      out.push_back(*level);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

RunConfig resolve_run(const RawRun& r, const RunSubject& subject, Diagnostics& diagnostics) {
  RunConfig out;
  out.until = r.until.value;
  out.warm_up = r.warm_up.value;
  out.measure = r.measure.value;
  out.drain = r.drain.value;
  out.settle = r.settle.value;
  out.confidence = share(r.confidence.value);
  if (!subject.programs && r.measure.valid && r.measure.value < subject.period) {
    diagnostics.error(r.measure.where,
                      fmt::format("run.measure: shorter than one cycle ({})", to_string(subject.period)));
  }
  if (!r.until.valid) return out;
  const bool steady = out.until == RunUntil::steady;
  const auto only_steady = [](const char* key) {
    return fmt::format("run.{} has no effect with run.until 'window'", key);
  };
  warn_unused(r.half_width, steady, only_steady("half_width"), diagnostics);
  warn_unused(r.at_most, steady, only_steady("at_most"), diagnostics);
  warn_unused(r.levels, steady, only_steady("levels"), diagnostics);
  if (!steady) return out;
  out.half_width = share(r.half_width.value);
  out.at_most = r.at_most.value;
  const Duration least{r.warm_up.value.ps + r.measure.value.ps};
  if (r.at_most.valid && r.warm_up.valid && r.measure.valid && out.at_most < least) {
    diagnostics.error(r.at_most.where,
                      fmt::format("run.at_most: expected at least {} (run.warm_up and run.measure), got '{}'",
                                  to_string(least), to_string(out.at_most)));
  }
  out.levels = controlled_services(r, subject, diagnostics);
  return out;
}

}  // namespace weft

#include "run/steady_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {
namespace {

std::string names(const TransferStats& stats, const std::vector<std::uint32_t>& levels) {
  std::vector<std::string> out;
  for (const std::uint32_t l : levels) out.push_back(stats.known_services()[l].name);
  return out.empty() ? "none" : fmt::format("{}", fmt::join(out, ", "));
}

std::string growth_of(const TransferStats& stats, std::size_t level) {
  const double growth = stats.queue_growth(stats.state(level), level).value_or(0);
  return fmt::format("{} ({:.{}f} flits/us)", stats.known_services()[level].name, growth, growth < 100 ? 1 : 0);
}

// Controlled levels, if any, whose mean latency is not.
std::vector<std::uint32_t> not_known(const RunConfig& run, const TransferStats& stats) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t l : run.levels) {
    const LevelState& state = stats.state(l);
    if (!state.saturated && !state.known(run.half_width)) out.push_back(l);
  }
  return out;
}

}  // namespace

ReportSection steady_section(const Workload& workload, const TransferStats& stats, const RunLength& length) {
  const RunConfig& run = workload.run;
  ReportSection s{"steady", "Steady state", {}};
  s.figures = {
      {{"controlled_levels", "", "levels whose mean latency ends the run when it is known (run.levels)"},
       names(stats, run.levels),
       true},
      {{"warmed_up", "",
        "whether MSER-5 found the end of the warm-up in the first quarter of the time before the window, for every "
        "controlled level that is not saturated"},
       length.warmed_up(),
       true},
      {{"transient", "ns", "warm-up that MSER-5 found, of the level that took longest; the window begins later"},
       static_cast<double>(length.transient() * workload.traffic.period.ps) / 1000.0,
       false},
      {{"windows_given_up", "1", "windows before this one in which a latency still rose"},
       std::int64_t{length.given_up()},
       false},
      {{"half_width_wanted", "%", "half of the confidence interval of a mean latency over the mean (run.half_width)"},
       100 * run.half_width,
       true},
      {{"not_known", "",
        "controlled levels that are not saturated and whose mean latency is not known to within run.half_width: the "
        "interval is wider or cannot be relied on, the latency rises, or it is open whether the source queues grow"},
       names(stats, not_known(run, stats)),
       true},
      {{"out_of_time", "", "run.at_most was over before all means were known"}, length.out_of_time(), true}};
  return s;
}

Figure half_width_figure(const TransferStats& stats) {
  Value widest;
  for (std::size_t l = 0; l < stats.known_services().size(); ++l) {
    const LevelState& state = stats.state(l);
    if (state.saturated || !state.latency || state.latency->mean <= 0) continue;
    const double own = 100 * state.latency->half_width / state.latency->mean;
    const auto* before = std::get_if<double>(&widest);
    widest = before == nullptr ? own : std::max(own, *before);
  }
  return {{"half_width", "%",
           "half of the confidence interval of the mean latency over the mean, the widest of the levels that are not "
           "saturated"},
          widest,
          true};
}

std::vector<std::string> steady_notes(const Workload& workload, const TransferStats& stats, const RunLength* length) {
  const RunConfig& run = workload.run;
  std::vector<std::string> open;
  std::vector<std::string> rising;
  std::vector<std::string> few;
  std::vector<std::string> correlated;
  for (std::uint32_t l = 0; l < stats.known_services().size(); ++l) {
    const bool sends = std::any_of(workload.traffic.streams.begin(), workload.traffic.streams.end(),
                                   [&](const StreamConfig& s) { return s.sl == l && s.load > 0; });
    if (!sends && stats.series(l).generated() == 0) continue;
    const std::string& name = stats.known_services()[l].name;
    const LevelState& state = stats.state(l);
    if (state.saturated) continue;  // told with its queues
    if (state.open) {
      open.push_back(growth_of(stats, l));
    } else if (state.rising()) {
      rising.push_back(fmt::format("{} (by {:.0f}% from the first half to the second)", name, 100 * state.drift));
    } else if (!state.latency) {
      if (sends) few.push_back(name);  // a trace has what it has
    } else if (state.latency->correlated()) {
      correlated.push_back(name);
    }
  }
  const std::string advice = run.until == RunUntil::steady
                                 ? "a longer run.at_most helps"
                                 : "a longer run.warm_up and run.measure help, or run.until: steady";
  std::vector<std::string> out;
  if (const auto unknown = not_known(run, stats); !unknown.empty()) {
    const std::string why =
        length == nullptr || length->out_of_time()
            ? "; run.at_most is " + to_string(run.at_most)
            : ", which it was when the end was decided; what arrived until then widened the interval";
    out.push_back(
        fmt::format("not known to within {}%: mean latency of {}{}", 100 * run.half_width, names(stats, unknown), why));
  }
  if (!open.empty()) {
    out.push_back(fmt::format("not steady: {}: source queues grow within the window, whether they go on is open; {}",
                              fmt::join(open, ", "), advice));
  }
  if (!rising.empty()) {
    out.push_back(
        fmt::format("not steady: {}; latency still rises within the window, {}", fmt::join(rising, ", "), advice));
  }
  if (!correlated.empty()) {
    out.push_back(
        fmt::format("latency changes more slowly than the window can average out: {}; the confidence "
                    "interval is too narrow (batches are correlated), {}",
                    fmt::join(correlated, ", "), advice));
  }
  if (!few.empty()) {
    out.push_back(
        fmt::format("too few messages for a confidence interval of the mean latency: {}; {} batches of {} "
                    "messages are needed",
                    fmt::join(few, ", "), kFewestBatches, kLeastPerBatch));
  }
  return out;
}

std::string growth_text(const TransferStats& stats) {
  std::vector<std::string> out;
  for (std::size_t l = 0; l < stats.known_services().size(); ++l) {
    const LevelState& state = stats.state(l);
    if (!state.saturated) continue;
    out.push_back(growth_of(stats, l));
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace weft

#include "studies/schedule/schedule_stats.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {

using jobs::Time;

namespace {

// Links a circuit can use: those between switches, and those to and from nodes.
double usable_links(const Graph& graph) {
  double links = 0;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    for (PortId p = 0; p < graph.ports(sw); ++p) links += graph.is_free({sw, p}) ? 0 : 1;
  }
  return links + graph.nodes() * graph.node_links();
}

}  // namespace

ScheduleStats::ScheduleStats(const Graph& graph, std::uint32_t slots, Time bound, Time each_reconfiguration)
    : reconfiguration(each_reconfiguration),
      graph_(graph),
      slots_(slots),
      bound_(bound),
      network_slots_(usable_links(graph) * slots),
      link_time_(graph.link_count()) {}

void ScheduleStats::on_submit(const jobs::Job& job) {
  ++submitted;
  if (!any_) {
    profile.start(job.submit);
    last_.time = job.submit;
  }
  any_ = true;
}

void ScheduleStats::on_reject(const jobs::Job& job, const std::string& reason) {
  ++rejected;
  if (first_rejections.size() < kMostRejections) {
    first_rejections.push_back(fmt::format("job '{}' cannot run: {}", job.id, reason));
  }
}

void ScheduleStats::on_start(const jobs::RunningJob& job) {
  ++started;
  backfilled += job.backfilled ? 1 : 0;
  const Time run = job.job.run;
  const Time response = job.end - job.job.submit;
  waits.add(job.start - job.job.submit);
  if (!job.job.flows.empty()) setups.add(job.sends - job.start);
  // Times are at most 4e12: exact in a double.
  slowdowns.add(static_cast<double>(response) / static_cast<double>(run));
  bounded_slowdowns.add(std::max(1.0, static_cast<double>(response) / static_cast<double>(std::max(run, bound_))));
  makespan = std::max(makespan, job.end - profile.begin());
  for (std::size_t f = 0; f < job.placement.flows.size(); ++f) {
    const std::vector<CircuitTree>& trees = job.placement.flows[f].trees;
    const FlowSlots& slots = job.placement.slots[f];
    circuits += trees.size();
    for (std::size_t t = 0; t < trees.size(); ++t) {
      pairs += trees[t].destinations.size();
      for (std::size_t e = 0; e < trees[t].edges.size(); ++e) {
        for (std::size_t k = 0; k < slots.common.size(); ++k) {
          link_time_[slots.link(t, e, k, trees[t].edges[e].link)] += static_cast<double>(job.end - job.start);
        }
      }
    }
  }
}

void ScheduleStats::on_instant(const jobs::Instant& instant, const jobs::RunningJobs&) {
  const Time span = instant.time - last_.time;
  blocked_by_nodes += last_.obstacle == jobs::Obstacle::nodes ? span : 0;
  blocked_by_slots += last_.obstacle == jobs::Obstacle::slots ? span : 0;
  // Time in which nothing runs counts once something does again: if nothing ever does, the last end was before it.
  if (last_.running > 0) {
    profile.advance(last_.time, {});
    profile.advance(instant.time, {static_cast<double>(last_.busy_nodes), static_cast<double>(last_.busy_slots),
                                   static_cast<double>(last_.waiting)});
  }
  longest_queue = std::max(longest_queue, instant.waiting);
  // Circuits have come, or some of those there before have gone.
  const bool came = circuits != circuits_before_;
  reconfigurations += came || instant.busy_slots != slots_before_ ? 1 : 0;
  circuits_before_ = circuits;
  slots_before_ = instant.busy_slots;
  last_ = instant;
}

ScheduleStats::BusiestLink ScheduleStats::busiest_link() const {
  const auto most = std::max_element(link_time_.begin(), link_time_.end());
  if (most == link_time_.end() || *most <= 0 || makespan == 0) return {};
  return {static_cast<LinkId>(most - link_time_.begin()),
          *most / (static_cast<double>(slots_) * static_cast<double>(makespan))};
}

double ScheduleStats::node_utilization() const { return profile.total().nodes / graph_.nodes(); }
double ScheduleStats::slot_utilization() const { return profile.total().slots / network_slots_; }

}  // namespace weft

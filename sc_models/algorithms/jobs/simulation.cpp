#include "algorithms/jobs/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/jobs/policy.h"
#include "base/text.h"

namespace weft::jobs {
namespace {

template <class Entry>
const Entry& find_entry(const std::vector<Entry>& list, const std::string& name, const char* what) {
  std::vector<std::string> names;
  for (const Entry& e : list) {
    if (name == e.name) return e;
    names.emplace_back(e.name);
  }
  throw InputError({}, fmt::format("unknown {} '{}'{}", what, name, did_you_mean(name, names)));
}

std::uint64_t slots_of(const Placement& placement) {
  std::uint64_t slots = 0;
  for (const Flow& flow : placement.flows) {
    for (const CircuitTree& tree : flow.trees) slots += std::uint64_t{flow.slots} * tree.edges.size();
  }
  return slots;
}

class Simulation final : public Dispatcher {
 public:
  Simulation(const PlacementRules& rules, const ScheduleOptions& options, Policy& policy,
             const std::vector<ScheduleObserver*>& observers)
      : rules_(rules),
        reconfiguration_(options.reconfiguration),
        queued_(options.queues == JobQueues::per_slot ? options.slots : 1),
        policy_(policy),
        observers_(observers),
        present_(rules),
        empty_(rules),
        reservation_(rules) {}

  bool run(JobSource& source, const std::function<bool()>& interrupted);

  Time now() const override { return now_; }
  const Job& job(JobIndex i) const override { return waiting_[i]; }
  bool released() const override { return released_; }
  std::uint64_t started() const override { return started_; }
  std::uint32_t free_nodes() const override { return present_.free_nodes(); }
  bool start(JobIndex i) override;
  Time reserve(JobIndex i) override;
  bool has_reservation(JobIndex i) const override { return reservation_.active() && reserved_for_ == i; }
  Time reserved_time() const override { return reservation_.time(); }
  std::uint32_t spare_nodes() const override { return reservation_.spare_nodes(); }
  bool start_unless_delaying(JobIndex i) override;

 private:
  template <class Call>
  void tell(Call&& call) const {
    for (ScheduleObserver* o : observers_) call(*o);
  }
  void end_jobs();
  void submit(Job job);
  void begin(JobIndex i, Placement placement, bool backfilled, bool in_forecast);
  void finish_instant();
  /// Tables of circuits that come or go now.
  Time tables_ready() const { return std::max(now_, tables_busy_) + reconfiguration_; }
  /// First time at which a job that starts now sends.
  Time sends(const Job& job) const { return job.flows.empty() ? now_ : tables_ready(); }

  PlacementRules rules_;
  Time reconfiguration_;
  Time tables_busy_ = 0;             // with the tables of earlier instants
  bool tables_change_ = false;       // at this instant
  std::vector<std::size_t> queued_;  // jobs that wait, per queue
  Policy& policy_;
  const std::vector<ScheduleObserver*>& observers_;
  Occupancy present_;
  Occupancy empty_;  // for jobs that can never run
  Reservation reservation_;
  JobIndex reserved_for_ = 0;
  RunningJobs running_;
  std::vector<Job> waiting_;  // by index; places of jobs that have started are used again
  std::vector<JobIndex> unused_;
  std::uint64_t started_ = 0;
  Time now_ = 0;
  bool released_ = false;
  bool changed_ = false;
  Obstacle obstacle_ = Obstacle::none;
  std::uint32_t busy_nodes_ = 0;
  std::uint64_t busy_slots_ = 0;
};

void Simulation::submit(Job job) {
  const auto shortest = std::min_element(queued_.begin(), queued_.end());
  job.queue = static_cast<std::uint32_t>(shortest - queued_.begin());
  tell([&](ScheduleObserver& o) { o.on_submit(job); });
  std::string reason;
  if (!job.unfit.empty()) {
    reason = job.unfit;
  } else if (job.nodes > rules_.graph->nodes()) {
    reason = fmt::format("it asks for {} nodes, the network ({}) has {}", job.nodes, rules_.graph->name(),
                         rules_.graph->nodes());
  } else if (Obstacle obstacle{}; const auto placement = empty_.place(job, obstacle)) {
    empty_.release(*placement);
  } else {
    const std::uint32_t draws = rules_.node_policy->draws();
    reason = obstacle == Obstacle::slots
                 ? (draws > 1 ? fmt::format("in the empty network, {} draws of nodes failed; the last: ", draws)
                              : std::string("in the empty network, on the nodes the policy gives it there, ")) +
                       empty_.reason()
                 : fmt::format("the node policy finds no {} nodes in the empty network", job.nodes);
  }
  if (!reason.empty()) {
    tell([&](ScheduleObserver& o) { o.on_reject(job, reason); });
    return;
  }
  JobIndex i = static_cast<JobIndex>(waiting_.size());
  if (unused_.empty()) {
    waiting_.push_back(std::move(job));
  } else {
    i = unused_.back();
    unused_.pop_back();
    waiting_[i] = std::move(job);
  }
  ++queued_[waiting_[i].queue];
  policy_.submit(i, waiting_[i]);
}

void Simulation::begin(JobIndex i, Placement placement, bool backfilled, bool in_forecast) {
  RunningJob started;
  started.job = std::move(waiting_[i]);
  --queued_[started.job.queue];
  waiting_[i] = {};
  unused_.push_back(i);
  started.start = now_;
  started.sends = sends(started.job);
  started.end = started.sends + started.job.run;
  tables_change_ = tables_change_ || !started.job.flows.empty();
  if (started.end > kEndOfTime) throw RunError(fmt::format("job '{}' ends after time {}", started.job.id, kEndOfTime));
  started.backfilled = backfilled;
  started.in_forecast = in_forecast;
  started.placement = std::move(placement);
  busy_nodes_ += started.job.nodes;
  busy_slots_ += slots_of(started.placement);
  changed_ = true;
  const auto at = running_.emplace(std::pair(started.end, started_++), std::move(started)).first;
  tell([&](ScheduleObserver& o) { o.on_start(at->second); });
}

bool Simulation::start(JobIndex i) {
  Obstacle obstacle{};
  auto placement = present_.place(waiting_[i], obstacle);
  if (!placement) {
    obstacle_ = obstacle;
    return false;
  }
  if (has_reservation(i)) reservation_.clear();
  begin(i, std::move(*placement), false, false);
  return true;
}

Time Simulation::reserve(JobIndex i) {
  reserved_for_ = i;
  const Time time = reservation_.make(waiting_[i], running_);
  tell([&](ScheduleObserver& o) { o.on_reserve(waiting_[i], now_, time); });
  return time;
}

bool Simulation::start_unless_delaying(JobIndex i) {
  Obstacle obstacle{};
  auto placement = present_.place(waiting_[i], obstacle);
  if (!placement) return false;
  const bool runs_on = sends(waiting_[i]) + waiting_[i].run > reservation_.time();
  if (runs_on && !reservation_.admit(waiting_[reserved_for_], *placement)) {
    present_.release(*placement);
    return false;
  }
  begin(i, std::move(*placement), true, runs_on);
  // It may have taken the nodes of the job whose turn it is.
  if (obstacle_ == Obstacle::slots) obstacle_ = present_.obstacle_now(waiting_[reserved_for_]);
  return true;
}

void Simulation::end_jobs() {
  released_ = false;
  while (!running_.empty() && running_.begin()->first.first == now_) {
    RunningJob& job = running_.begin()->second;
    present_.release(job.placement);
    reservation_.ended(job);
    busy_nodes_ -= job.job.nodes;
    busy_slots_ -= slots_of(job.placement);
    released_ = changed_ = true;
    tables_change_ = tables_change_ || !job.job.flows.empty();
    tell([&](ScheduleObserver& o) { o.on_end(job); });
    running_.erase(running_.begin());
  }
}

void Simulation::finish_instant() {
  const std::size_t waiting = waiting_.size() - unused_.size();
  if (reservation_.active() && now_ >= reservation_.time()) {
    throw RunError(fmt::format("job '{}' was to start at time {} at the latest and still waits",
                               waiting_[reserved_for_].id, reservation_.time()));
  }
  if (waiting > 0 && running_.empty()) {
    throw RunError(fmt::format("{} jobs wait at time {} although no job runs", waiting, now_));
  }
  if (waiting == 0) obstacle_ = Obstacle::none;
  const Instant instant{now_, busy_nodes_, busy_slots_, running_.size(), waiting, obstacle_, changed_};
  tell([&](ScheduleObserver& o) { o.on_instant(instant, running_); });
  changed_ = false;
  if (tables_change_) tables_busy_ = tables_ready();
  tables_change_ = false;
}

bool Simulation::run(JobSource& source, const std::function<bool()>& interrupted) {
  constexpr std::uint32_t kAskEvery = 256;
  Job next;
  bool more = source.next(next);
  for (std::uint32_t instants = 1; more || !running_.empty(); ++instants) {
    if (instants % kAskEvery == 0 && interrupted && interrupted()) return false;
    now_ = running_.empty() ? next.submit : running_.begin()->first.first;
    if (more) now_ = std::min(now_, next.submit);
    end_jobs();
    while (more && next.submit == now_) {
      submit(std::move(next));
      more = source.next(next);
      if (more && next.submit < now_) throw RunError("jobs are not in the order of their submit times");
    }
    policy_.dispatch(*this);
    finish_instant();
  }
  return true;
}

}  // namespace

bool simulate(const Graph& graph, const CircuitRouting& routing, JobSource& source, const ScheduleOptions& options,
              const std::vector<ScheduleObserver*>& observers) {
  const PolicyEntry& entry = find_entry(policies(), options.policy, "policy");
  const auto policy = options.queues == JobQueues::per_slot ? with_slot_queues(entry, options.slots) : entry.make();
  const auto nodes = find_entry(node_policies(), options.node_policy, "node policy").make(graph, options.seed);
  if (options.allocator->color != nullptr) {
    throw InputError(
        {}, fmt::format("allocator {} colours all flows at once, but jobs come one by one", options.allocator->name));
  }
  if (options.slots == 0 || options.slots > kLargestFrame) {
    throw InputError({}, fmt::format("a frame has 1 to {} slots, not {}", kLargestFrame, options.slots));
  }
  if (options.slots_per_flow == 0) throw InputError({}, "a flow has at least 1 slot");
  if (options.reconfiguration < 0 || options.reconfiguration > kLargestTime) {
    throw InputError({}, fmt::format("a reconfiguration takes 0 to {}, not {}", kLargestTime, options.reconfiguration));
  }
  const PlacementRules rules{&graph, &routing, nodes.get(), options.slots, options.slots_per_flow, options.allocator};
  return Simulation(rules, options, *policy, observers).run(source, options.interrupted);
}

}  // namespace weft::jobs

#include "run/tlm_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/diagnostics.h"
#include "observe/user_signals.h"
#include "run/failure.h"
#include "run/simulation_report.h"
#include "workload/address_map.h"

namespace weft {
namespace {

// Of the clock; after what must be there at all.
Duration period_of(const FabricPlan& plan, const TlmServices& wanted) {
  const ServiceId service = std::max(wanted.reads, wanted.writes);
  const std::size_t services = plan.workload().traffic.services.size();
  if (services == 0) {
    throw InputError({plan.header().config_file},
                     "bridges need a service level (qos.levels, with 'traffic: []'); this configuration has programs");
  }
  if (service < services) return plan.workload().traffic.period;
  throw InputError({plan.header().config_file},
                   fmt::format("there is no service {} for bridges: there are {}", service, services));
}

}  // namespace

TlmSystem::TlmSystem(sc_core::sc_module_name name, const Plan& plan, const std::vector<NodeId>& nodes,
                     const TlmServices& services)
    : sc_module(name), plan_(fabric_plan(plan)), domain_("clock", period_of(plan_, services)) {
  const auto error = [&](const std::string& text) { return InputError({plan_.header().config_file}, text); };
  const Graph& graph = plan_.graph();
  std::set<NodeId> seen;
  for (const NodeId n : nodes) {
    if (n >= graph.nodes()) {
      throw error(
          fmt::format("there is no node {} for a bridge: {} has nodes 0 to {}", n, graph.name(), graph.nodes() - 1));
    }
    if (!seen.insert(n).second) throw error(fmt::format("node {} is named twice for a bridge", n));
  }
  built_ = plan_.build(domain_, Part{});
  bridges_ = std::make_unique<TlmBridges>(built_->fabric(), nodes, services);
  const Window all{0, Window::kOpen};
  stats_ = std::make_unique<TransferStats>(with_routes(stats_options(plan_, built_->fabric()), *built_), all);
  built_->fabric().observe(*stats_);
  for (WindowedStats* s : built_->windowed()) s->measure_from(all.first);
}

void TlmSystem::end_of_elaboration() { bridges_->check_targets(); }

const ReportData& TlmSystem::report() {
  if (report_) return *report_;
  RunResult result;
  if (domain_.failure()) {
    result.failure = failure_text(domain_.failure());
  } else {
    stats_->check_last_arrivals();
  }
  // The clock stands still while nothing happens.
  const Cycle last = std::max<Cycle>(0, domain_.next_cycle() - 1);
  stats_->close(last);
  for (WindowedStats* s : built_->windowed()) s->close(last);
  result.cycles = last;
  const Fabric& fabric = built_->fabric();
  fill_report({plan_, *built_, fabric, *stats_, nullptr, nullptr, nullptr, nullptr, nullptr, last, last, -1, false},
              result);
  report_ = std::move(result.report);
  return *report_;
}

std::vector<std::filesystem::path> TlmSystem::write_report(const std::filesystem::path& folder) {
  return weft::write_report(folder, report(), {});
}

void TlmSystem::end_of_simulation() {
  if (waves_ && !std::exchange(left_, true)) leave_user_signals(true);
}

TlmSystem::~TlmSystem() {
  try {
    if (waves_ && !left_) leave_user_signals(false);
    close_waves();
  } catch (const std::exception& e) {
    SC_REPORT_WARNING("weft/waves", e.what());
  }
}

void TlmSystem::map(const std::string& file) {
  for (const AddressRegion& r : read_address_map(file)) {
    try {
      bridges_->map(r.base, r.size, r.node);
    } catch (const InputError& e) {
      throw InputError(r.where, e.list().front().message);
    }
  }
}

void TlmSystem::open_waves(const std::string& path) {
  if (waves_) throw InputError({"open_waves " + path}, "a waveform of this network is open; close_waves() comes first");
  if (sc_core::sc_start_of_simulation_invoked()) {
    throw InputError({"open_waves " + path},
                     "waves begin before the first sc_start(); observe.waves.from and until show a part of the time");
  }
  // A trigger takes a second run, and this one is the caller's.
  if (plan_.wave_trigger() != nullptr) {
    throw InputError({plan_.header().config_file},
                     "observe.waves.trigger is for 'weft run'; the waves of a design of one's own can be limited by "
                     "observe.waves.from and until");
  }
  RunOptions options;
  options.waves = path;
  const Workload& workload = plan_.workload();
  if (workload.wave_transfers && transfers_ == nullptr) {
    transfers_ = std::make_unique<TransferStreams>(std::string(name()) + ".", *workload.wave_transfers,
                                                   workload.traffic, built_->fabric().nodes());
    built_->fabric().observe(*transfers_);
  }
  built_->open_files(options);
  waves_ = true;
  open_user_signals(this, [this] {
    const Cycle next = domain_.next_cycle();
    if (woken_ == next) return;
    woken_ = next;
    domain_.schedule(next, Phase::settle, *this, 0);
  });
}

std::vector<std::string> TlmSystem::close_waves() {
  if (!std::exchange(waves_, false)) return {};
  close_user_signals(this);
  return built_->close_files(std::max<Cycle>(0, domain_.now()));
}

}  // namespace weft

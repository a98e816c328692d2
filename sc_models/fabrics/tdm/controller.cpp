#include "fabrics/tdm/controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "algorithms/slots/slot_lut_bank.h"
#include "base/diagnostics.h"

namespace weft {
namespace {

// Whether `chosen` are the lowest slots of `free`.
bool lowest(const SlotSet& free, const std::vector<Slot>& chosen) {
  auto slot = free.find_first();
  for (const Slot s : chosen) {
    if (slot != s) return false;
    slot = free.find_next(slot);
  }
  return true;
}

}  // namespace

TdmController::TdmController(sc_core::sc_module_name name, const TdmConfig& config, Network network,
                             const std::vector<PhasePlan>& phases, std::vector<std::uint32_t> order)
    : sc_module(name),
      net_(std::move(network)),
      phases_(phases),
      order_(std::move(order)),
      mode_(config.setup.mode),
      processing_(config.setup.processing),
      column_cycles_(config.tdm_switch.reconfiguration),
      slots_(config.tdm_switch.slots),
      slot_update_(config.slots.slot_update) {
  if (order_.empty()) {
    order_.resize(phases.size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  times_.resize(order_.size());
  for (TdmHost* host : net_.hosts) {
    if (host != nullptr && host->interface().has_tables()) table_hosts_.push_back(host);
  }
}

void TdmController::start_of_simulation() {
  if (mode_ == SetupMode::preset) {
    for (std::size_t sw = 0; sw < net_.switches.size(); ++sw) {
      if (net_.switches[sw] != nullptr) net_.switches[sw]->preset(plan(0).tables[sw]);
    }
    for (TdmHost* host : table_hosts_) host->interface().preset(host_tables(*host, 0));
  }
  net_.domain.schedule(0, Phase::transfer, *this, kBegin);
}

void TdmController::due(Cycle now, std::uint32_t token) {
  switch (token) {
    case kBegin:
      begin_phase(now);
      break;
    case kRequest:
      request_next(now);
      break;
    case kGo:
      go(now);
      break;
    case kAskAll:
      ask_all(now);
      break;
    default:
      end_phase(now - 1);  // scheduled one cycle after the last delivery
      break;
  }
}

HostTables TdmController::host_tables(const TdmHost& host, std::size_t place) const {
  return make_host_tables(net_.graph, plan(place), host.node(), slots_);
}

void TdmController::load_tables(Cycle now, std::size_t place) {
  for (TdmHost* host : table_hosts_) host->interface().load(now, host_tables(*host, place), column_cycles_);
  for (std::size_t sw = 0; sw < net_.switches.size(); ++sw) {
    if (net_.switches[sw] != nullptr) net_.switches[sw]->load(now, plan(place).tables[sw], column_cycles_);
  }
  times_[place].tables_ready = now + column_cycles_ * Cycle{slots_};
}

void TdmController::begin_phase(Cycle now) {
  if (place_ == order_.size()) {
    finished_ = true;
    if (when_finished_) when_finished_();
    return;
  }
  times_[place_].setup_start = now;
  list_steps();
  next_step_ = 0;
  if (mode_ == SetupMode::preset) {
    while (next_step_ < steps_.size()) request(now, steps_[next_step_++]);
    times_[place_].setup_end = now;
    if (place_ == 0) {
      go(now);
    } else {
      change_over(now);
    }
    return;
  }
  if (place_ == 0) load_tables(now, 0);
  plan_request(now);
}

// Nothing but its own answer depends on a request, so one whose cycle is over is made now.
void TdmController::plan_request(Cycle at) {
  if (net_.ranks != nullptr && at <= net_.domain.now()) {
    request_next(at);
  } else {
    net_.domain.schedule(at, Phase::transfer, *this, kRequest);
  }
}

void TdmController::end_phase(Cycle last) {
  times_[place_].data_end = last;
  ++place_;
  begin_phase(last + 1);
}

// Requests for the links of an edge: to ask all of a bundle, to reserve or release those whose slots the circuit has.
void TdmController::list_edge(SlotLutOp op, std::size_t place, std::uint32_t flow, std::uint32_t tree,
                              std::uint32_t edge) {
  const PhasePlan& phase = plan(place);
  const LinkId own = phase.flows[flow].trees[tree].edges[edge].link;
  const std::span<const LinkId> bundle = net_.graph.bundle(own);
  Step step{op, false, false, flow, tree, edge, own, false};
  if (bundle.empty()) {
    steps_.push_back(step);
    return;
  }
  for (const LinkId link : bundle) {
    step.link = link;
    step.more = op == SlotLutOp::query && link != bundle.back();
    if (op == SlotLutOp::query || lanes_on(step, phase).any()) steps_.push_back(step);
  }
}

void TdmController::list_steps() {
  steps_.clear();
  const auto add_all = [&](SlotLutOp op, std::size_t place, std::uint32_t f) {
    const Flow& flow = plan(place).flows[f];
    for (std::uint32_t t = 0; t < flow.trees.size(); ++t) {
      for (std::uint32_t e = 0; e < flow.trees[t].edges.size(); ++e) {
        if (slot_update_ && op == SlotLutOp::reserve) continue;
        const std::size_t first = steps_.size();
        list_edge(op, place, f, t, e);
        if (op != SlotLutOp::query) continue;
        steps_[first].fresh = slot_update_ || (t == 0 && e == 0);
        steps_.back().choose = slot_update_;
        if (slot_update_) list_edge(SlotLutOp::reserve, place, f, t, e);
      }
    }
    if (op == SlotLutOp::query && !slot_update_) steps_.back().choose = true;
  };
  if (place_ > 0) {
    const std::size_t old = plan(place_ - 1).flows.size();
    for (std::uint32_t f = 0; f < old; ++f) add_all(SlotLutOp::release, place_ - 1, f);
  }
  const std::size_t flows = plan(place_).flows.size();
  for (std::uint32_t f = 0; f < flows; ++f) {
    add_all(SlotLutOp::query, place_, f);
    add_all(SlotLutOp::reserve, place_, f);
  }
}

// Slots of the circuit on the link of a request.
SlotSet TdmController::lanes_on(const Step& step, const PhasePlan& phase) const {
  const FlowSlots& own = phase.allocation.flows[step.flow];
  const std::vector<Slot>& lanes = own.lanes(step.tree, step.edge);
  const LinkId edge = phase.flows[step.flow].trees[step.tree].edges[step.edge].link;
  SlotSet out(slots_);
  for (std::size_t k = 0; k < lanes.size(); ++k) {
    if (own.link(step.tree, step.edge, k, edge) == step.link) out.set(lanes[k]);
  }
  return out;
}

void TdmController::request_next(Cycle now) {
  if (next_step_ == steps_.size()) {
    times_[place_].setup_end = now;
    change_over(now);
    return;
  }
  request(now, steps_[next_step_++]);
  plan_request(now + processing_);
}

SlotLutIf& TdmController::slot_lut(SwitchId sw) {
  if (net_.switches[sw] != nullptr) return net_.switches[sw]->slot_lut();
  luts_elsewhere_.resize(net_.switches.size());
  if (!luts_elsewhere_[sw]) luts_elsewhere_[sw] = std::make_unique<SlotLut>(net_.graph.ports(sw), slots_);
  return *luts_elsewhere_[sw];
}

std::string TdmController::name_of(SwitchId sw) const {
  return net_.switches[sw] != nullptr ? net_.switches[sw]->name() : fmt::format("sw[{}]", sw);
}

void TdmController::request(Cycle now, const Step& step) {
  ++times_[place_].lut_requests;
  const PhasePlan& phase = plan(step.op == SlotLutOp::release ? place_ - 1 : place_);
  const LutRow at = lut_row(net_.graph, step.link);
  if (step.fresh) vector_ = all_slots(slots_);
  SlotLutRequest request{step.op, at.row, step.op == SlotLutOp::query ? vector_ : lanes_on(step, phase)};
  const SlotLutResponse response = slot_lut(at.sw).request(request);
  const SetupEvent event{
      now, at.sw, at.row, step.op, step.flow, response.ok, static_cast<std::uint32_t>(response.free.count())};
  if (net_.switches[at.sw] != nullptr) net_.observers.tell([&](TdmObserver& o) { o.on_setup(event); });
  bool ok = response.ok;
  if (step.op == SlotLutOp::query) {
    if (bundle_.empty()) bundle_.resize(slots_);
    bundle_ |= response.free;
    if (step.more) return;
    vector_ = bundle_;
    bundle_.reset();
    ok = vector_.any();
  }
  if (!ok) {
    throw RunError(fmt::format("{}: cycle {}: slot LUT row {} refused a request for flow '{}' that the plan allows",
                               name_of(at.sw), now, at.row, phase.flows[step.flow].name));
  }
  if (step.choose) check_choice(step, phase.allocation.flows[step.flow].lanes(step.tree, step.edge));
}

void TdmController::check_choice(const Step& step, const std::vector<Slot>& chosen) const {
  const PhasePlan& phase = plan(place_);
  const bool held = std::all_of(chosen.begin(), chosen.end(), [&](Slot s) { return vector_.test(s); });
  const bool must_be_lowest = !slot_update_ && !phase.slots_given && phase.options.allocator == &kFirstFit;
  if (held && (!must_be_lowest || lowest(vector_, chosen))) return;
  throw RunError(fmt::format("controller: the slot LUTs disagree with the plan about the slots of flow '{}'",
                             phase.flows[step.flow].name));
}

// Slots are reserved: change over to the shadow tables at the next frame boundary at which all are written.
void TdmController::change_over(Cycle now) {
  const Cycle frame = slots_;
  const Cycle ready = std::max(now, times_[place_].tables_ready) + 1;
  const Cycle boundary = (ready + frame - 1) / frame * frame;
  for (TdmSwitch* sw : net_.switches) {
    if (sw != nullptr) sw->swap(now, boundary);
  }
  for (TdmHost* host : table_hosts_) host->interface().swap(now, boundary);
  net_.domain.schedule(boundary, Phase::transfer, *this, kGo);
}

void TdmController::go(Cycle now) {
  times_[place_].data_start = now;
  const auto& circuits = plan(place_).circuits;
  open_circuits_ = static_cast<std::size_t>(std::count_if(
      circuits.begin(), circuits.end(), [&](const CircuitPlan& c) { return net_.hosts[c.source] != nullptr; }));
  sending_ = true;
  last_event_ = now;
  net_.observers.tell([&](TdmObserver& o) { o.on_phase(order_[place_], now); });
  for (const CircuitPlan& c : circuits) {
    if (net_.hosts[c.source] != nullptr) net_.hosts[c.source]->start(c.id, now);
  }
  if (place_ + 1 < order_.size()) load_tables(now, place_ + 1);
  if (net_.ranks != nullptr && when_finished_) {
    const Cycle frame = slots_;
    net_.domain.schedule((now / frame + 1) * frame - 1, Phase::exchange, *this, kAskAll);
  }
  maybe_end();
}

void TdmController::circuit_finished() {
  --open_circuits_;
  last_event_ = net_.domain.now();
  maybe_end();
}

void TdmController::drained() { maybe_end(); }

void TdmController::maybe_end() {
  if (net_.ranks != nullptr) return;  // a rank does not know by itself
  if (!sending_ || open_circuits_ > 0 || net_.messages.outstanding() > 0) return;
  sending_ = false;
  net_.domain.schedule(net_.domain.now() + 1, Phase::transfer, *this, kEndPhase);
}

// All ranks, in the last cycle of a frame. Whatever is under way is a message on some rank, or on its way between two.
void TdmController::ask_all(Cycle now) {
  net_.exchange();
  std::uint64_t all[] = {open_circuits_, net_.messages.outstanding()};
  net_.ranks->sum(all);
  if (all[0] != 0 || all[1] != 0) {
    net_.domain.schedule(now + slots_, Phase::exchange, *this, kAskAll);
    return;
  }
  Cycle last = last_event_;
  for (const std::string& cycle : net_.ranks->gather(std::to_string(last_event_))) {
    last = std::max<Cycle>(last, std::stoll(cycle));
  }
  sending_ = false;
  end_phase(last);
}

}  // namespace weft

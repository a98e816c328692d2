#include "cosim/tdm/host_driver.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "cosim/tdm/lockstep.h"

namespace weft {
namespace {

// Whether a word of the train arrives in cycle `now`.
bool arrives_at(const Train& train, Cycle now, std::uint32_t frame) {
  return now >= train.start && now <= train.last(frame) && (now - train.start) % Cycle{frame} == 0;
}

}  // namespace

HostRtlDriver::HostRtlDriver(HostSite site, HostInterfaceClient& client, std::unique_ptr<HostInterfaceRtl> core,
                             Probes probes)
    : site_(std::move(site)),
      client_(client),
      core_(std::move(core)),
      probes_(std::move(probes)),
      shadow_(site_.links, site_.slots),
      trains_(std::size_t{site_.links} * site_.slots) {}

// Circuits have the numbers of the order in which the table names them.
HostRtlDriver::Numbers HostRtlDriver::numbers_of(const std::vector<CircuitId>& table) {
  Numbers numbers;
  for (const CircuitId circuit : table) {
    if (circuit != kNoId) numbers.emplace(circuit, static_cast<std::uint32_t>(numbers.size()));
  }
  return numbers;
}

std::uint32_t HostRtlDriver::number(const Numbers& numbers, CircuitId circuit) {
  const auto at = numbers.find(circuit);
  return at == numbers.end() ? kNoId : at->second;
}

CircuitId HostRtlDriver::circuit_out(std::uint32_t number) const {
  for (const auto& [circuit, its] : active_out_) {
    if (its == number) return circuit;
  }
  return kNoId;
}

Slot HostRtlDriver::label(Cycle now) const {
  const Cycle s = site_.slots;
  return static_cast<Slot>((((now - site_.ejection_latency) % s) + s) % s);
}

void HostRtlDriver::write_column(std::uint32_t slot) {
  std::vector<std::uint32_t> out;
  std::vector<std::uint32_t> in;
  for (std::uint32_t link = 0; link < site_.links; ++link) {
    out.push_back(number(shadow_out_, shadow_.out[shadow_.at(link, slot)]));
    in.push_back(number(shadow_in_, shadow_.in[shadow_.at(link, slot)]));
  }
  core_->write_column(static_cast<Slot>(slot), out, in);
}

void HostRtlDriver::preset(const HostTables& tables) {
  shadow_ = tables;
  active_out_ = shadow_out_ = numbers_of(tables.out);
  active_in_ = shadow_in_ = numbers_of(tables.in);
  for (std::uint32_t s = 0; s < site_.slots; ++s) {
    core_->begin_cycle(1, 1);
    write_column(s);
    if (s + 1 == site_.slots) core_->request_swap();
    core_->end_cycle();
  }
  core_->begin_cycle(0, 0);  // frame boundary
  core_->end_cycle();
  core_->update_outputs();
}

void HostRtlDriver::load(Cycle now, const HostTables& tables, Cycle cycles_per_slot) {
  exchange_tables(now);  // the next load may begin in the cycle of the swap
  shadow_ = tables;
  if (in_swap_at_ < 0) shadow_in_ = numbers_of(tables.in);
  shadow_out_ = numbers_of(tables.out);
  load_start_ = now;
  load_step_ = cycles_per_slot;
  load_column_ = 0;
  loading_ = true;
  need(now + 1);
}

void HostRtlDriver::swap(Cycle now, Cycle boundary) {
  exchange_tables(now);
  swap_at_ = boundary;
  in_swap_at_ = boundary + site_.ejection_latency % Cycle{site_.slots};
  need(std::max(now, boundary - 1));
}

void HostRtlDriver::exchange_tables(Cycle now) {
  if (now == swap_at_) {
    std::swap(active_out_, shadow_out_);
    swap_at_ = -1;
  }
  if (now == in_swap_at_) {
    std::swap(active_in_, shadow_in_);
    in_swap_at_ = -1;
    in_swapped_ = now;
    if (loading_) shadow_in_ = numbers_of(shadow_.in);
  }
}

void HostRtlDriver::offer(Cycle now, const HostMessage& message) {
  if (begun_ < now) {
    need(now);
    begin(now);
  }
  const std::uint32_t number = number_out(message.circuit);
  if (number == kNoId || !core_->ready(number)) {
    throw RunError(fmt::format("{}: {}", place(now),
                               number == kNoId ? "a message of a circuit that has no slot here"
                                               : "no room for a message that is the first one of its circuit"));
  }
  core_->offer(number, message.words);
  ++messages_;
}

void HostRtlDriver::arrive(Cycle now, PortId link, const Train& train) {
  std::vector<Train>& trains = trains_[std::size_t{link} * site_.slots + train.slot];
  std::erase_if(trains, [&](const Train& t) { return t.last(site_.slots) < now; });
  trains.push_back(train);
  arrivals_end_ = std::max(arrivals_end_, train.last(site_.slots) + 1);
  need(train.start);
}

void HostRtlDriver::arrive_cut(PortId link, const TrainCut& cut) {
  for (Train& t : trains_[std::size_t{link} * site_.slots + cut.slot]) {
    if (cut.names(t)) t.words = std::min(t.words, cut.words);
  }
}

const Train* HostRtlDriver::train_arriving(Cycle now, std::uint32_t link) const {
  for (const Train& t : trains_[std::size_t{link} * site_.slots + label(now)]) {
    if (arrives_at(t, now, site_.slots)) return &t;
  }
  return nullptr;
}

HostWord HostRtlDriver::arriving(Cycle now, std::uint32_t link) const {
  const Train* t = train_arriving(now, link);
  if (t == nullptr) return {};
  const auto frames = static_cast<std::uint32_t>((now - t->start) / Cycle{site_.slots});
  const std::uint32_t word = t->first_word + frames * t->stride;
  return {true,
          number_in(t->circuit),
          word,
          word == 0,
          word + 1 == (*site_.messages)[t->message].words,
          bits(t->message, word)};
}

// A step is needed in `cycle`, which is now or later.
void HostRtlDriver::need(Cycle cycle) {
  if (planned_ >= 0 && planned_ <= cycle) return;
  planned_ = cycle;
  client_.wake(cycle, Phase::transfer, kBegin);
}

bool HostRtlDriver::due(Cycle now, std::uint32_t token) {
  if (token < kBegin) return false;
  if (planned_ != now) return true;
  if (token == kFinish) {
    finish(now);
  } else if (begun_ < now) {
    begin(now);
  }
  return true;
}

void HostRtlDriver::begin(Cycle now) {
  begun_ = now;
  exchange_tables(now);
  core_->begin_cycle(static_cast<Slot>(now % Cycle{site_.slots}), label(now));
  client_.wake(now, Phase::settle, kFinish);
  probe(probes_.outputs, now);
}

// A word that should be another ends the run: waves show this cycle with all inputs.
void HostRtlDriver::probe(const std::function<void(Cycle)>& look, Cycle now) {
  try {
    look(now);
  } catch (const RunError&) {
    set_inputs(now);
    core_->break_off();
    throw;
  }
}

void HostRtlDriver::set_inputs(Cycle now) {
  for (std::uint32_t link = 0; link < site_.links; ++link) {
    if (const HostWord word = arriving(now, link); word.valid) core_->set_input(link, word.last, word.bits);
  }
}

void HostRtlDriver::finish(Cycle now) {
  set_inputs(now);
  core_->update_outputs();
  probe(probes_.cycle, now);
  // What is late since the table of ejection was still waiting for its change-over is made up for.
  if (loading_ && in_swap_at_ < 0 && now >= load_start_ + Cycle{load_column_} * load_step_ && now != in_swapped_) {
    write_column(load_column_);
    loading_ = ++load_column_ < site_.slots;
  }
  if (now == swap_at_ - 1) core_->request_swap();
  core_->end_cycle();
  planned_ = -1;
  if (messages_ > 0 || loading_ || arrivals_end_ > now + 1) need(now + 1);
  if (swap_at_ > now) need(std::max(now + 1, swap_at_ - 1));
  if (in_swap_at_ > now && swap_at_ < 0) need(in_swap_at_);
}

void HostRtlDriver::show(Cycle now) {
  if (begun_ != now) core_->show_slot(static_cast<Slot>(now % Cycle{site_.slots}), label(now));
}

std::string HostRtlDriver::place(Cycle now) const {
  return fmt::format("{}.interface at {}", site_.path, cycle_text(*site_.domain, site_.slots, now));
}

std::string HostRtlDriver::text(const HostWord& word) const {
  if (!word.valid) return "idle";
  return fmt::format("word {} of circuit {}{}{}, bits {:x}", word.index, word.circuit, word.first ? ", first" : "",
                     word.last ? ", last" : "", word.bits);
}

}  // namespace weft

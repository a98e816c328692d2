#include "cosim/tdm/rtl_driver.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

std::uint64_t tag(MessageId message, std::uint32_t word) { return (std::uint64_t{message} << 32) | word; }

// Index within the train of the word that is at this place in cycle `now`; -1 if none.
Cycle index_at(const Train& train, Cycle now, Cycle frame) {
  if (now < train.start || (now - train.start) % frame != 0) return -1;
  const Cycle index = (now - train.start) / frame;
  return index < Cycle{train.words} ? index : -1;
}

}  // namespace

RtlDriver::RtlDriver(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core,
                     Phase output_phase, std::function<void(Cycle)> on_outputs)
    : site_(site),
      client_(client),
      core_(std::move(core)),
      output_phase_(output_phase),
      on_outputs_(std::move(on_outputs)),
      active_(site.ports, site.slots),
      shadow_(site.ports, site.slots),
      trains_(std::size_t{site.ports} * site.slots) {}

void RtlDriver::preset(const SlotTable& table) {
  const auto idle_cycle = [&](Slot slot) {
    core_->begin_cycle(slot);
    for (PortId p = 0; p < site_.ports; ++p) core_->set_input(p, {false, 0, slot});
  };
  for (std::uint32_t s = 0; s < site_.slots; ++s) {
    idle_cycle(1);
    core_->write_column(table, static_cast<Slot>(s));
    if (s + 1 == site_.slots) core_->request_swap();
    core_->end_cycle();
  }
  idle_cycle(0);  // frame boundary
  core_->end_cycle();
  idle_cycle(1);
  core_->settle();
  active_ = table;
}

void RtlDriver::load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) {
  exchange_tables(now);  // the next load may begin in the cycle of the swap
  shadow_ = table;
  load_start_ = now;
  load_step_ = cycles_per_slot;
  load_column_ = 0;
  loading_ = true;
  need(now + 1);
}

void RtlDriver::write_column(Cycle now, const SlotTable& table, Slot slot) {
  exchange_tables(now);
  for (PortId out = 0; out < site_.ports; ++out) shadow_.at(out, slot) = table.at(out, slot);
  column_at_ = now;
  column_ = slot;
  need(now);
}

void RtlDriver::swap(Cycle now, Cycle boundary) {
  exchange_tables(now);
  swap_at_ = boundary;
  need(std::max(now, boundary - 1));
}

void RtlDriver::arrive(Cycle now, PortId in, const Train& train) {
  std::vector<Train>& trains = trains_[std::size_t{in} * site_.slots + train.slot];
  forget_old(now, trains);
  trains.push_back(train);
  full_until_ = std::max(full_until_, train.last(site_.slots) + Cycle{site_.slots});
  need(train.start);
}

void RtlDriver::arrive_cut(PortId in, const TrainCut& cut) {
  std::vector<Train>& trains = trains_[std::size_t{in} * site_.slots + cut.slot];
  const auto it = std::find_if(trains.rbegin(), trains.rend(), [&](const Train& t) {
    return t.message == cut.message && t.first_word == cut.first_word;
  });
  if (it != trains.rend()) it->words = std::min(it->words, cut.words);
}

void RtlDriver::forget_old(Cycle now, std::vector<Train>& trains) const {
  std::erase_if(trains, [&](const Train& t) { return t.last(site_.slots) + Cycle{site_.slots} < now; });
}

// A step is needed in `cycle`, which is now or later.
void RtlDriver::need(Cycle cycle) {
  if (planned_ >= 0 && planned_ <= cycle) return;
  planned_ = cycle;
  client_.wake(cycle, output_phase_, output_phase_ == Phase::settle ? kFinish : kBegin);
}

bool RtlDriver::due(Cycle now, std::uint32_t token) {
  if (token == kBegin) {
    if (planned_ == now && begun_ < now) {
      begin(now);
      client_.wake(now, Phase::settle, kFinish);
    }
    return true;
  }
  if (token != kFinish) return false;
  if (planned_ != now || finished_ == now) return true;
  if (begun_ < now) begin(now);
  finish(now);
  plan_next(now);
  return true;
}

void RtlDriver::show(Cycle now) {
  if (finished_ == now) return;
  std::vector<TdmInput> inputs;
  for (PortId in = 0; in < site_.ports; ++in) inputs.push_back(input(now, in));
  core_->show_inputs(static_cast<Slot>(now % site_.slots), inputs);
}

TdmInput RtlDriver::input(Cycle now, PortId in) const {
  TdmInput input{false, 0, label(now, in)};
  if (const Train* train = arriving(now, in)) {
    const auto index = static_cast<std::uint32_t>(index_at(*train, now, site_.slots));
    input.valid = true;
    input.word = tag(train->message, train->first_word + index * train->stride);
  }
  return input;
}

void RtlDriver::exchange_tables(Cycle now) {
  if (now != swap_at_) return;
  std::swap(active_, shadow_);
  swap_at_ = -1;
}

void RtlDriver::begin(Cycle now) {
  begun_ = now;
  exchange_tables(now);
  core_->begin_cycle(static_cast<Slot>(now % site_.slots));
  on_outputs_(now);
}

void RtlDriver::finish(Cycle now) {
  finished_ = now;
  for (PortId in = 0; in < site_.ports; ++in) core_->set_input(in, input(now, in));
  if (loading_ && now >= load_start_ + Cycle{load_column_} * load_step_) {
    core_->write_column(shadow_, static_cast<Slot>(load_column_));
    loading_ = ++load_column_ < site_.slots;
  }
  if (now == column_at_) core_->write_column(shadow_, column_);
  if (now == swap_at_ - 1) core_->request_swap();
  core_->end_cycle();
}

// Cycles in which no register can hold a word and nothing is written are skipped.
void RtlDriver::plan_next(Cycle now) {
  planned_ = -1;
  if (loading_ || full_until_ > now) {
    need(now + 1);
  } else if (swap_at_ > now) {
    need(std::max(now + 1, swap_at_ - 1));
  }
}

Slot RtlDriver::label(Cycle now, PortId in) const {
  const auto s = Cycle{site_.slots};
  return static_cast<Slot>((((now - site_.input_latency[in]) % s) + s) % s);
}

const Train* RtlDriver::arriving(Cycle now, PortId in) const {
  for (const Train& t : trains_[std::size_t{in} * site_.slots + label(now, in)]) {
    if (index_at(t, now, site_.slots) >= 0) return &t;
  }
  return nullptr;
}

RtlOutput RtlDriver::output(PortId out) const {
  RtlOutput o;
  o.valid = core_->out_valid(out);
  if (o.valid) {
    const std::uint64_t word = core_->out_word(out);
    o.message = static_cast<MessageId>(word >> 32);
    o.word = static_cast<std::uint32_t>(word);
  }
  return o;
}

const Train* RtlDriver::source(Cycle now, PortId out, const RtlOutput& word) const {
  const SlotTableEntry& e = active_.at(out, static_cast<Slot>(now % site_.slots));
  if (e.idle()) return nullptr;
  for (const Train& t : trains_[std::size_t{e.in_port} * site_.slots + e.in_slot]) {
    if (t.message != word.message || word.word < t.first_word) continue;
    const std::uint32_t offset = word.word - t.first_word;
    if (offset % t.stride != 0 || offset / t.stride >= t.words) continue;
    // TdmMessage numbers are used again: it must be the word that was written within the last frame.
    const Cycle written = t.start + Cycle{offset / t.stride} * Cycle{site_.slots};
    if (written < now && now - written <= Cycle{site_.slots}) return &t;
  }
  return nullptr;
}

std::string RtlDriver::inputs_text(Cycle now) const {
  std::string out;
  for (PortId in = 0; in < site_.ports; ++in) {
    const Train* t = arriving(now, in);
    out += fmt::format("{}in[{}] slot {}: ", in == 0 ? "" : ", ", in, label(now, in));
    if (t == nullptr) {
      out += "idle";
    } else {
      const auto index = static_cast<std::uint32_t>(index_at(*t, now, site_.slots));
      out += fmt::format("word {} of {}", t->first_word + index * t->stride, site_.describe_message(t->message));
    }
  }
  return out;
}

}  // namespace weft

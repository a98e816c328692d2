#include "cosim/tdm/lockstep.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {
namespace {

std::string place(const BlockSite& site, const char* block, Cycle now) {
  return fmt::format("{}.{} at {}", site.path, block, cycle_text(*site.domain, site.slots, now));
}

std::string bits(const SlotSet& set) {
  std::string out;
  for (auto s = set.find_first(); s != SlotSet::npos; s = set.find_next(s)) {
    out += (out.empty() ? "" : " ") + std::to_string(s);
  }
  return "{" + out + "}";
}

std::string text(const SlotLutResponse& r) {
  return fmt::format("ok={} free={} first={}", r.ok ? 1 : 0, bits(r.free),
                     r.first ? std::to_string(*r.first) : std::string("none"));
}

}  // namespace

std::string cycle_text(const ClockDomain& domain, std::uint32_t slots, Cycle cycle) {
  return fmt::format("{} (cycle {}, slot {})", to_string(Duration{cycle * domain.period().ps}), cycle, cycle % slots);
}

RtlDataPath::RtlDataPath(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core)
    : site_(site),
      client_(client),
      outgoing_(std::size_t{site.ports} * site.slots),
      driver_(site, client, std::move(core), Phase::transfer, [this](Cycle now) { outputs(now); }) {}

void RtlDataPath::outputs(Cycle now) {
  const auto slot = static_cast<Slot>(now % site_.slots);
  for (PortId out = 0; out < site_.ports; ++out) {
    Outgoing& o = outgoing_[std::size_t{out} * site_.slots + slot];
    const RtlOutput word = driver_.output(out);
    if (o.sent > 0) {
      const Train& t = o.train;
      if (word.valid && word.message == t.message && word.word == t.first_word + o.sent * t.stride) {
        if (++o.sent == t.words) o.sent = 0;
        continue;
      }
      client_.depart_cut(out, {t.message, t.first_word, slot, o.sent, t.words});
      o.sent = 0;
    }
    if (word.valid) start(now, out, word, o);
  }
}

// First word of a train leaves: the train it belongs to is known from the register the table names.
void RtlDataPath::start(Cycle now, PortId out, const RtlOutput& word, Outgoing& o) {
  const Train* source = driver_.source(now, out, word);
  if (source == nullptr) {
    throw RunError(fmt::format("{}: output {} sends a word that its slot table does not name",
                               place(site_, "data_path", now), out));
  }
  const std::uint32_t skipped = (word.word - source->first_word) / source->stride;
  o.train = *source;
  o.train.first_word = word.word;
  o.train.words -= skipped;
  o.train.slot = static_cast<Slot>(now % site_.slots);
  o.train.start = now;
  o.sent = o.train.words > 1 ? 1 : 0;
  client_.depart(out, o.train);
}

LockstepDataPath::LockstepDataPath(const BlockSite& site, DataPathClient& client, std::unique_ptr<TdmSwitchRtl> core,
                                   LockstepCount& count)
    : site_(site),
      client_(client),
      sent_(std::size_t{site.ports} * site.slots),
      model_(*this, site.ports, site.slots),
      driver_(site, *this, std::move(core), Phase::settle, [this](Cycle now) { compare(now); }),
      count_(count) {}

void LockstepDataPath::preset(const SlotTable& table) {
  model_.preset(table);
  driver_.preset(table);
}

void LockstepDataPath::load(Cycle now, const SlotTable& table, Cycle cycles_per_slot) {
  model_.load(now, table, cycles_per_slot);
  driver_.load(now, table, cycles_per_slot);
}

void LockstepDataPath::write_column(Cycle now, const SlotTable& table, Slot slot) {
  model_.write_column(now, table, slot);
  driver_.write_column(now, table, slot);
}

void LockstepDataPath::swap(Cycle now, Cycle boundary) {
  model_.swap(now, boundary);
  driver_.swap(now, boundary);
}

void LockstepDataPath::arrive(Cycle now, PortId in, const Train& train) {
  model_.arrive(now, in, train);
  driver_.arrive(now, in, train);
}

void LockstepDataPath::arrive_cut(Cycle now, PortId in, const TrainCut& cut) {
  model_.arrive_cut(now, in, cut);
  driver_.arrive_cut(in, cut);
}

void LockstepDataPath::due(Cycle now, std::uint32_t token) {
  if (!driver_.due(now, token)) model_.due(now, token);
}

void LockstepDataPath::depart(PortId out, const Train& train) {
  sent_[std::size_t{out} * site_.slots + train.slot] = train;
  client_.depart(out, train);
}

void LockstepDataPath::depart_cut(PortId out, const TrainCut& cut) {
  Train& t = sent_[std::size_t{out} * site_.slots + cut.slot];
  if (t.message == cut.message && t.first_word == cut.first_word) t.words = std::min(t.words, cut.words);
  client_.depart_cut(out, cut);
}

RtlOutput LockstepDataPath::expected(Cycle now, PortId out) const {
  const Train& t = sent_[std::size_t{out} * site_.slots + static_cast<std::size_t>(now % site_.slots)];
  RtlOutput o;
  if (t.words == 0 || now < t.start || now > t.last(site_.slots)) return o;
  o.valid = true;
  o.message = t.message;
  o.word = t.first_word + static_cast<std::uint32_t>((now - t.start) / site_.slots) * t.stride;
  return o;
}

std::string LockstepDataPath::output_text(const RtlOutput& o) const {
  if (!o.valid) return "idle";
  return fmt::format("word {} of {}", o.word, site_.describe_message(o.message));
}

void LockstepDataPath::compare(Cycle now) {
  ++count_.cycles;
  for (PortId out = 0; out < site_.ports; ++out) {
    const RtlOutput model = expected(now, out);
    const RtlOutput rtl = driver_.output(out);
    if (model.valid == rtl.valid && model.message == rtl.message && model.word == rtl.word) continue;
    const SlotTableEntry& e = driver_.active().at(out, static_cast<Slot>(now % site_.slots));
    throw RunError(
        fmt::format("lockstep difference in {}\n  out[{}]: model sends {}\n  out[{}]: rtl sends {}\n  table entry: "
                    "{}\n  inputs: {}",
                    place(site_, "data_path", now), out, output_text(model), out, output_text(rtl),
                    e.idle() ? std::string("idle") : fmt::format("in[{}] slot {}", e.in_port, e.in_slot),
                    driver_.inputs_text(now)));
  }
}

SlotLutResponse LockstepSlotLut::request(const SlotLutRequest& request) {
  SlotLutResponse model = model_.request(request);
  const SlotLutResponse rtl = core_->request(request);
  ++count_.requests;
  if (model == rtl) return model;
  constexpr const char* kNames[] = {"query", "reserve", "release"};
  throw RunError(fmt::format(
      "lockstep difference in {}\n  request: {} row {} slots {}\n  model answers {}\n  rtl answers {}",
      place(site_, "slot_lut", std::max<Cycle>(0, site_.domain->now())), kNames[static_cast<std::size_t>(request.op)],
      request.row, bits(request.slots), text(model), text(rtl)));
}

}  // namespace weft

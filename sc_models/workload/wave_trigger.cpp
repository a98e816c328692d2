#include "workload/wave_trigger.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "network/keys/port_range.h"

namespace weft {
namespace {

constexpr std::uint32_t kLastNode = kNoId - 1;

}  // namespace

Section<RawWaveTrigger> wave_trigger_section() {
  Section<RawWaveTrigger> s("trigger", "What the waves are written around, instead of between from and until.");
  s.key("event", &RawWaveTrigger::event, choice<WaveEvent>(), by_default("message"),
        "message: the delivery of a message that the other keys choose; failure: the end of a run that fails, as a "
        "lockstep pair that differs.");
  s.key("level", &RawWaveTrigger::level, word_type(), optional("any"),
        "Service level of the message; of circuits with sources of their own the phase, of OPTWEB programs the "
        "operation.");
  s.key("source", &RawWaveTrigger::source, whole<std::uint32_t>(0, kLastNode), optional("any"),
        "Node that sends it, or executes the instruction.");
  s.key("destination", &RawWaveTrigger::destination, whole<std::uint32_t>(0, kLastNode), optional("any"),
        "Node that it is delivered to.");
  s.key("latency", &RawWaveTrigger::latency, duration_type(kNoTime, kLongestTime), optional("any"),
        "Its latency from generation to delivery is longer than this; of an instruction from fetch to completion.");
  s.key("not_before", &RawWaveTrigger::not_before, duration_type(kNoTime, kLongestTime), by_default("0us"),
        "It is generated at this time or later.");
  s.key("number", &RawWaveTrigger::number, whole_number_type(1, 1'000'000'000'000), by_default("1"),
        "Which of the deliveries that fit, in order of time, within a cycle in the order in which the messages were "
        "generated. A message to several nodes has one delivery for each.");
  s.key("before", &RawWaveTrigger::before, duration_type(kNoTime, kLongestTime), by_default("100ns"),
        "Time in the waves before the message is generated, or before the failure.");
  s.key("after", &RawWaveTrigger::after, duration_type(kNoTime, kLongestTime), by_default("100ns"),
        "Time in the waves after its delivery.");
  return s;
}

Section<RawWaveTransfers> wave_transfers_section() {
  constexpr std::uint32_t kMostRows = 64;
  Section<RawWaveTransfers> s("transfers",
                              "Messages as transactions: rows of text for each node, from the generation of a message "
                              "until its last destination has it; {} for all messages.");
  s.key("nodes", &RawWaveTransfers::nodes, node_list_type(), optional("all"), "Nodes whose messages are shown.");
  s.key("levels", &RawWaveTransfers::levels, list_of(word_type(), 1, kAnyCount), optional("all"),
        "Levels whose messages are shown, as in trigger.");
  s.key("rows", &RawWaveTransfers::rows, whole<std::uint32_t>(1, kMostRows), by_default("4"),
        "Rows of a node; what finds none free is counted in the signal 'more'.");
  return s;
}

namespace {

WaveTransfers resolve_transfers(const Given<RawWaveTransfers>& raw) {
  WaveTransfers out;
  out.where = raw.key_where;
  for (const auto& n : raw.value.nodes.value) out.nodes.push_back({n.value, n.where});
  for (const auto& l : raw.value.levels.value) out.levels.push_back({l.value, l.where});
  out.rows = raw.value.rows.value;
  return out;
}

}  // namespace

WaveTimes resolve_wave_times(const RawWaveTimes& raw, Diagnostics& diagnostics) {
  WaveTimes out;
  out.from = raw.from.value;
  if (raw.until.given) out.until = raw.until.value;
  if (raw.until.valid && raw.from.valid && raw.until.given && raw.until.value <= raw.from.value) {
    diagnostics.error(raw.until.where, fmt::format("observe.waves.until: must be after from ({}), got '{}'",
                                                   to_string(raw.from.value), to_string(raw.until.value)));
  }
  if (raw.transfers.given && raw.transfers.valid) out.transfers = resolve_transfers(raw.transfers);
  if (!raw.trigger.given || !raw.trigger.valid) return out;
  const RawWaveTrigger& r = raw.trigger.value;
  WaveTrigger& t = out.trigger.emplace();
  t.where = raw.trigger.key_where;
  t.event = r.event.value;
  t.level_at = r.level.where;
  t.source_at = r.source.where;
  t.destination_at = r.destination.where;
  if (r.level.given) t.level = r.level.value;
  if (r.source.given) t.source = r.source.value;
  if (r.destination.given) t.destination = r.destination.value;
  if (r.latency.given) t.latency = r.latency.value;
  t.not_before = r.not_before.value;
  t.number = r.number.value;
  t.before = r.before.value;
  t.after = r.after.value;
  for (const auto* time : {&raw.from, &raw.until}) {
    if (!time->given) continue;
    diagnostics.error(time->key_where, fmt::format("observe.waves.{}: has no place beside 'trigger', which says when "
                                                   "the waves begin and end",
                                                   time == &raw.from ? "from" : "until"));
  }
  if (t.event == WaveEvent::message) return out;
  const auto of_messages = [&](const auto& key, const char* name) {
    if (!key.given) return;
    diagnostics.error(key.key_where,
                      fmt::format("observe.waves.trigger.{}: belongs to event 'message'; this one is 'failure'", name));
  };
  of_messages(r.level, "level");
  of_messages(r.source, "source");
  of_messages(r.destination, "destination");
  of_messages(r.latency, "latency");
  of_messages(r.not_before, "not_before");
  of_messages(r.number, "number");
  of_messages(r.after, "after");
  return out;
}

void check_wave_trigger(const WaveTrigger& trigger, const TrafficConfig& traffic, std::uint32_t nodes) {
  if (trigger.event != WaveEvent::message) return;
  const std::string path = "observe.waves.trigger";
  if (trigger.source) check_wave_node(path + ".source", *trigger.source, trigger.source_at, nodes);
  if (trigger.destination) check_wave_node(path + ".destination", *trigger.destination, trigger.destination_at, nodes);
  if (trigger.level) check_wave_level(path + ".level", *trigger.level, trigger.level_at, traffic);
}

std::string WaveTriggerWatch::message_text(const TransferRecord& t, const std::string& generated,
                                           const std::string& delivered) {
  return fmt::format("message {} from node {} to node {}, generated after {}, delivered after {}", t.id, t.from, t.to,
                     generated, delivered);
}

std::string WaveTriggerWatch::text(const Found& found) const {
  return text_(found.transfer, to_string(Duration{found.transfer.generated * tick_.ps}),
               to_string(Duration{found.arrived * tick_.ps}));
}

void WaveTriggerWatch::begin(const TrafficConfig& traffic, Duration tick, Text text) {
  tick_ = tick;
  text_ = std::move(text);
  not_before_ = CycleSpan{false, trigger_.not_before.ps}.cycles(tick);
  if (!trigger_.level) return;
  const auto& services = traffic.services;
  const auto at =
      std::find_if(services.begin(), services.end(), [&](const ServiceConfig& s) { return s.name == *trigger_.level; });
  service_ = static_cast<ServiceId>(at - services.begin());
}

bool WaveTriggerWatch::fits(const TransferRecord& t, Cycle now) const {
  return (!service_ || t.service == *service_) && (!trigger_.source || t.from == *trigger_.source) &&
         (!trigger_.destination || t.to == *trigger_.destination) && t.generated >= not_before_ &&
         (!trigger_.latency || (now - t.generated) * tick_.ps > trigger_.latency->ps);
}

void WaveTriggerWatch::on_arrive(const TransferRecord& transfer, Cycle now) {
  pass(now);
  if (!found_ && fits(transfer, now)) now_.push_back({transfer, now});
}

void WaveTriggerWatch::pass(Cycle now) {
  if (found_ || now_.empty() || now_.front().arrived >= now) return;
  if (before_ + now_.size() < trigger_.number) {
    before_ += now_.size();
    now_.clear();
    return;
  }
  const auto at = now_.begin() + static_cast<std::ptrdiff_t>(trigger_.number - before_ - 1);
  std::nth_element(now_.begin(), at, now_.end(), [](const Found& a, const Found& b) {
    return std::tuple(a.transfer.generated, a.transfer.id, a.transfer.to) <
           std::tuple(b.transfer.generated, b.transfer.id, b.transfer.to);
  });
  found_ = *at;
}

const std::optional<WaveTriggerWatch::Found>& WaveTriggerWatch::result() {
  if (!now_.empty()) pass(now_.front().arrived + 1);
  return found_;
}

}  // namespace weft

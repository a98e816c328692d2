// From what a file says about a packet network to its checked configuration.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "config/qos_schema.h"

namespace weft {
namespace {

constexpr std::uint32_t kManagementLane = 15;  // VL15 and SC15 carry management packets

// `sw[5]`, `sw[0..3].port2`, `nic[7]`; reports anything else.
std::optional<PortRange> parse_port_range(const std::string& text, const Location& where, Diagnostics& diagnostics) {
  PortRange out;
  out.where = where;
  out.text = text;
  const char* p = text.data();
  const char* const end = p + text.size();
  const auto skip = [&](std::string_view word) {
    if (static_cast<std::size_t>(end - p) < word.size() || std::string_view(p, word.size()) != word) return false;
    p += word.size();
    return true;
  };
  const auto number = [&](std::uint32_t& n) {
    const auto [stop, error] = std::from_chars(p, end, n);
    p = stop;
    return error == std::errc();
  };
  bool ok = true;
  if (skip("nic[")) {
    out.nic = true;
  } else {
    ok = skip("sw[");
  }
  ok = ok && number(out.first);
  out.last = out.first;
  if (ok && skip("..")) ok = number(out.last);
  ok = ok && skip("]") && out.first <= out.last;
  if (ok && !out.nic && skip(".port")) {
    out.port = 0;
    ok = number(*out.port);
  }
  if (ok && p == end) return out;
  diagnostics.error(where,
                    fmt::format("qos.dtable.instances: expected ports such as 'sw[0..3]', 'sw[5].port2' or 'nic[7]', "
                                "got '{}'",
                                text));
  return std::nullopt;
}

class QosResolver {
 public:
  QosResolver(const RawQosFabric& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  QosConfig resolve() {
    out_.title = raw_.title.value;
    out_.seed = raw_.seed.value;
    network();
    link();
    if (out_.link.period.ps == 0) return std::move(out_);  // nothing can be counted in flits or cycles
    packet_switch();
    levels();
    lanes();
    scheduler();
    traffic();
    run();
    return std::move(out_);
  }

 private:
  void network() {
    const std::size_t before = diagnostics_.errors();
    out_.topology = resolve_topology(raw_.topology, document_, diagnostics_);
    const bool valid = raw_.topology.valid && raw_.topology.value.kind.valid && diagnostics_.errors() == before;
    const RawPacketRouting& r = raw_.routing.value;
    out_.routing = resolve_routing(r, raw_.routing.where, out_.topology, valid, NetworkUse::packets, diagnostics_);
    out_.ring = r.ring.value;
    out_.ties = r.ties.value;
    lanes_known_ = raw_.topology.valid && raw_.topology.value.kind.valid && r.ring.valid &&
                   (r.algorithm.valid || !r.algorithm.given);
    if (!valid) return;
    const bool torus = out_.topology.kind == TopologyKind::torus;
    const std::string why = torus ? "it belongs to dimension_order" : "the topology has no rings";
    warn_unused(r.ring, rings(), "routing.ring has no effect, " + why, diagnostics_);
    warn_unused(r.ties, rings(), "routing.ties has no effect, " + why, diagnostics_);
  }

  void link() {
    const RawLink& r = raw_.link.value;
    out_.link.where = raw_.link.where;
    if (!r.rate.valid || !r.flit.valid) return;
    out_.link.rate = r.rate.value;
    out_.link.flit = r.flit.value;
    constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
    const std::int64_t product = r.flit.value.bits * kPicoseconds;  // at most 2^59
    if (product % r.rate.value.bits_per_s != 0) {
      diagnostics_.error(r.rate.where, fmt::format("link: a flit of {} at {} does not take whole picoseconds",
                                                   to_string(r.flit.value), to_string(r.rate.value)));
      return;
    }
    out_.link.period = {product / r.rate.value.bits_per_s};
    out_.link.delay = r.delay.value.cycles(out_.link.period);
    out_.link.credit_delay = r.credit_delay.value.cycles(out_.link.period);
  }

  std::uint32_t flits(DataSize size) const {
    return static_cast<std::uint32_t>((size.bits + out_.link.flit.bits - 1) / out_.link.flit.bits);
  }
  std::uint32_t whole_flits(DataSize size) const { return static_cast<std::uint32_t>(size.bits / out_.link.flit.bits); }
  Cycle cycles(const Given<CycleSpan>& span) const { return span.value.cycles(out_.link.period); }

  void packet_switch() {
    const RawPacketSwitch& r = raw_.packet_switch.value;
    PacketSwitchConfig& s = out_.packet_switch;
    s.where = raw_.packet_switch.where;
    s.architecture = r.architecture.value;
    const RawStages& stages = r.stages.value;
    s.input = cycles(stages.input);
    s.routing = cycles(stages.routing);
    s.allocation = cycles(stages.allocation);
    s.crossbar = cycles(stages.crossbar);
    s.output = cycles(stages.output);
    s.crossbar_rate = r.crossbar_rate.value;
    s.input_buffer = whole_flits(r.input_buffer.value);
    s.output_buffer = whole_flits(r.output_buffer.value);
    const RawMport& m = r.mport.value;
    s.mport_ports = m.ports.value;
    s.central_links = m.central_links.value;
    s.central_rate = m.central_rate.value;
    s.central_buffer = whole_flits(m.central_buffer.value);
    out_.nic = {raw_.nic.where, whole_flits(raw_.nic.value.buffer.value),
                whole_flits(raw_.nic.value.input_buffer.value)};
    input_queued(r.iq);
    if (!raw_.packet_switch.valid || !r.architecture.valid) return;
    const bool iq = s.architecture == PacketArchitecture::iq;
    if (iq) s.output = 0;  // its NICs have no output stage
    const std::string with = fmt::format(" has no effect with architecture '{}'", to_string(s.architecture));
    warn_unused(r.mport, s.architecture == PacketArchitecture::opa, "switch.mport" + with, diagnostics_);
    warn_unused(r.iq, iq, "switch.iq" + with, diagnostics_);
    warn_unused(r.stages, !iq, "switch.stages" + with + ", which has switch.iq.stages", diagnostics_);
    warn_unused(r.crossbar_rate, !iq, "switch.crossbar_rate" + with, diagnostics_);
    warn_unused(r.input_buffer, !iq, "switch.input_buffer" + with, diagnostics_);
    warn_unused(r.output_buffer, !iq, "switch.output_buffer" + with, diagnostics_);
    warn_unused(raw_.nic, !iq, "nic" + with, diagnostics_);
    const RawQos& q = raw_.qos.value;
    warn_unused(q.scheduler, !iq, "qos.scheduler" + with, diagnostics_);
    warn_unused(q.dtable, !iq, "qos.dtable" + with, diagnostics_);
    warn_unused(q.ib_arbiter, !iq, "qos.ib_arbiter" + with, diagnostics_);
    warn_unused(q.lane_space, !iq, "qos.lane_space" + with, diagnostics_);
  }

  void input_queued(const Given<RawIq>& section) {
    const RawIq& r = section.value;
    IqConfig& c = out_.iq;
    c.where = section.where;
    c.vcs = r.vcs.value;
    c.buffer = whole_flits(r.buffer.value);
    const RawIqStages& stages = r.stages.value;
    c.buffer_write = cycles(stages.buffer_write);
    c.routing = cycles(stages.routing);
    c.vc_allocation = cycles(stages.vc_allocation);
    c.switch_allocation = cycles(stages.switch_allocation);
    c.crossbar = cycles(stages.crossbar);
    c.allocator = r.allocator.value;
    c.iterations = r.iterations.value;
    c.reuse = r.reuse.value;
  }

  // Number of a level that is given by name or number.
  std::optional<std::uint32_t> level_of(const std::string& text, const Location& where, const std::string& path) {
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < out_.levels.size(); ++i) {
      if (out_.levels[i].name == text) return i;
      names.push_back(out_.levels[i].name);
    }
    std::uint32_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc() && stop == end && number < out_.levels.size()) return number;
    diagnostics_.error(where, fmt::format("{}: expected a level (a name, or a number below {}), got '{}'{}", path,
                                          out_.levels.size(), text, did_you_mean(text, names)));
    return std::nullopt;
  }

  bool opa() const { return out_.packet_switch.architecture == PacketArchitecture::opa; }
  bool rings() const {
    return out_.topology.kind == TopologyKind::torus && out_.routing.algorithm == RoutingAlgorithm::dimension_order;
  }
  bool datelines() const { return rings() && out_.ring == RingControl::dateline; }

  // VL of a service channel.
  std::uint32_t lane_of_channel(std::uint32_t channel, const std::string& path, const Location& where) {
    const auto& map = raw_.qos.value.channel_lanes;
    if (!map.given || !map.valid || channel == kManagementLane) return channel;
    if (channel < map.value.size()) return map.value[channel].value;
    diagnostics_.error(where, fmt::format("{}: service channel {} has no VL, qos.channel_lanes names {}", path, channel,
                                          map.value.size()));
    return 0;
  }

  std::vector<std::uint32_t> numbers(const Given<std::vector<Placed<std::uint32_t>>>& list, const std::string& path,
                                     const std::string& what) {
    const std::size_t wanted = datelines() ? 2 : 1;
    if (!list.valid) return {};  // reported already
    if (lanes_known_ && list.value.size() != wanted) {
      diagnostics_.error(list.where, fmt::format("{}: expected {} {}{}, got {}", path, wanted, what,
                                                 wanted == 2 ? "s (datelines)" : "", list.value.size()));
    }
    std::vector<std::uint32_t> out;
    for (const auto& n : list.value) {
      if (n.value == kManagementLane) {
        diagnostics_.error(n.where, fmt::format("{}: {} {} carries management traffic", path, what, n.value));
      }
      out.push_back(n.value);
    }
    return out;
  }

  // Default numbers of a level: all first ones, then all second ones, without the management lane.
  std::vector<std::uint32_t> default_numbers(std::uint32_t level, std::uint32_t count) const {
    const auto usable = [](std::uint32_t n) { return n < kManagementLane ? n : n + 1; };
    std::vector<std::uint32_t> out{usable(level)};
    if (datelines()) out.push_back(usable(count + level));
    return out;
  }

  void levels() {
    const RawQos& r = raw_.qos.value;
    const std::size_t before = diagnostics_.errors();
    const auto count = static_cast<std::uint32_t>(r.levels.value.size());
    if (!raw_.qos.valid || !r.levels.valid) return;
    if (count == 0 || count > 32) {
      diagnostics_.error(r.levels.where, fmt::format("qos.levels: expected 1 to 32 levels, got {}", count));
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto& entry = r.levels.value[i];
      const RawLevel& l = entry.value;
      const std::string path = "qos.levels." + entry.name;
      LevelConfig level;
      level.where = entry.where;
      level.name = entry.name;
      level.traffic_class = l.traffic_class.given ? l.traffic_class.value : entry.name;
      level.message_size = l.message.value;
      level.message = std::max<std::uint32_t>(1, flits(l.message.value));
      if (!opa() && l.channels.given) {
        diagnostics_.error(l.channels.key_where, path + ".channels: service channels belong to architecture 'opa'");
      } else if (opa() && l.lanes.given) {
        diagnostics_.error(l.lanes.key_where, path +
                                                  ".lanes: with architecture 'opa' levels have channels, and "
                                                  "qos.channel_lanes gives these their VLs");
      } else if (opa()) {
        level.channels =
            l.channels.given ? numbers(l.channels, path + ".channels", "service channel") : default_numbers(i, count);
        for (const std::uint32_t c : level.channels) level.lanes.push_back(lane_of_channel(c, path, entry.where));
      } else {
        level.lanes = l.lanes.given ? numbers(l.lanes, path + ".lanes", "VL") : default_numbers(i, count);
      }
      level.quantum = l.quantum.value;
      level.share = l.share.value;
      level.priority = l.priority.given ? l.priority.value : i;
      for (std::uint32_t& v : level.lanes) {
        if (v >= 32) {
          diagnostics_.error(entry.where, fmt::format("{}: VL {} is beyond the 32 there are; give {}", path, v,
                                                      opa() ? "channels" : "lanes"));
          v = 0;
        }
        out_.lanes = std::max(out_.lanes, v + 1);
      }
      out_.levels.push_back(std::move(level));
    }
    if (!opa() && r.channel_lanes.given) {
      diagnostics_.error(r.channel_lanes.key_where, "qos.channel_lanes: service channels belong to architecture 'opa'");
    }
    check_channel_lanes();
    if (datelines() && diagnostics_.errors() == before) check_dateline_lanes();
  }

  // A channel other than that of management must not come upon its VL.
  void check_channel_lanes() {
    const auto& map = raw_.qos.value.channel_lanes;
    for (std::size_t c = 0; opa() && c < map.value.size(); ++c) {
      if (map.value[c].value != kManagementLane || c == kManagementLane) continue;
      diagnostics_.error(map.value[c].where,
                         fmt::format("qos.channel_lanes.{}: VL {} carries management traffic", c, kManagementLane));
    }
  }

  void check_dateline_lanes() {
    for (const LevelConfig& a : out_.levels) {
      for (const LevelConfig& b : out_.levels) {
        if (a.lanes.size() < 2 || b.lanes.size() < 2 || a.lanes[0] != b.lanes[1]) continue;
        diagnostics_.error(a.where,
                           fmt::format("qos.levels: VL {} is used before the dateline (by {}) and behind it (by {}), "
                                       "which allows a deadlock",
                                       a.lanes[0], a.name, b.name));
      }
    }
  }

  void lanes() {
    out_.lane_space.resize(out_.lanes);
    if (out_.levels.empty()) return;  // nothing is known about the VLs
    std::vector<bool> used(out_.lanes);
    for (const LevelConfig& level : out_.levels) {
      for (const std::uint32_t v : level.lanes) used[v] = true;
    }
    std::vector<bool> seen(out_.lanes);
    const auto& list = raw_.qos.value.lane_space;
    for (std::size_t i = 0; i < list.value.size(); ++i) {
      const RawLaneSpace& r = list.value[i].value;
      const std::string path = fmt::format("qos.lane_space.{}", i);
      if (!r.lane.valid) continue;
      if (r.lane.value >= out_.lanes || !used[r.lane.value]) {
        diagnostics_.error(r.lane.where, fmt::format("{}.lane: no level uses VL {}", path, r.lane.value));
        continue;
      }
      if (seen[r.lane.value]) {
        diagnostics_.error(r.lane.where, fmt::format("{}.lane: VL {} is named twice", path, r.lane.value));
        continue;
      }
      seen[r.lane.value] = true;
      LaneConfig& space = out_.lane_space[r.lane.value];
      if (r.minimum.valid) space.minimum = flits(r.minimum.value);
      if (r.maximum.valid) space.maximum = whole_flits(r.maximum.value);
      if (space.minimum && space.maximum && *space.minimum > *space.maximum) {
        diagnostics_.error(r.minimum.where, fmt::format("{}: minimum {} is above maximum {}", path,
                                                        to_string(r.minimum.value), to_string(r.maximum.value)));
      }
    }
  }

  std::vector<TableEntryConfig> table(const Given<std::vector<Placed<RawTableEntry>>>& raw, const std::string& path) {
    std::vector<TableEntryConfig> out;
    for (std::size_t i = 0; i < raw.value.size(); ++i) {
      const auto& entry = raw.value[i];
      if (!entry.valid || !entry.value.sl.valid) continue;
      const auto sl = level_of(entry.value.sl.value, entry.value.sl.where, fmt::format("{}.{}.sl", path, i));
      if (sl) out.push_back({entry.where, *sl, entry.value.weight.value});
    }
    return out;
  }

  void scheduler() {
    const RawQos& r = raw_.qos.value;
    out_.scheduler_where = r.scheduler.where;
    out_.scheduler = r.scheduler.value;
    const RawDtable& d = r.dtable.value;
    out_.counter_bits = d.counter_bits.value;
    out_.dtable = d.implementation.value;
    if (out_.levels.empty() || !r.scheduler.valid) return;
    const bool dtable = out_.scheduler == SchedulerChoice::dtable;
    if (dtable && !d.table.given) {
      diagnostics_.error(r.scheduler.where, "qos.scheduler: dtable needs the key 'qos.dtable.table'");
    }
    if (!dtable && d.implementation.given && d.implementation.value != Implementation::model) {
      diagnostics_.error(d.implementation.where,
                         fmt::format("qos.dtable.implementation: only the scheduler dtable exists in RTL, this is '{}'",
                                     to_string(out_.scheduler)));
    }
    for (const auto& entry : d.instances.value) {
      const auto range = parse_port_range(entry.name, entry.where, diagnostics_);
      if (!range || !entry.value.implementation.valid) continue;
      out_.scheduler_instances.push_back({*range, entry.value.implementation.value});
      if (!dtable) {
        diagnostics_.error(entry.where,
                           fmt::format("qos.dtable.instances: only the scheduler dtable exists in RTL, this is "
                                       "'{}'",
                                       to_string(out_.scheduler)));
      }
    }
    out_.table = table(d.table, "qos.dtable.table");
    const RawIbArbiter& ib = r.ib_arbiter.value;
    out_.high = table(ib.high, "qos.ib_arbiter.high");
    out_.low = table(ib.low, "qos.ib_arbiter.low");
    out_.limit_of_high_priority = ib.limit_of_high_priority.value;
    if (out_.scheduler == SchedulerChoice::ib_arbiter && !ib.high.given && !ib.low.given) {
      diagnostics_.error(r.scheduler.where, "qos.scheduler: ib_arbiter needs 'qos.ib_arbiter.high' or 'low'");
    }
    for (std::size_t i = 0; i < out_.levels.size() && i < r.levels.value.size(); ++i) {
      const RawLevel& l = r.levels.value[i].value;
      const char* missing = out_.scheduler == SchedulerChoice::drr && !l.quantum.given  ? "quantum"
                            : out_.scheduler == SchedulerChoice::scfq && !l.share.given ? "share"
                                                                                        : nullptr;
      if (missing != nullptr) {
        diagnostics_.error(out_.levels[i].where, fmt::format("qos.levels.{}: scheduler {} needs the key '{}'",
                                                             out_.levels[i].name, to_string(out_.scheduler), missing));
      }
    }
  }

  void traffic() {
    if (!raw_.traffic.given && !raw_.trace.given) {
      diagnostics_.error(raw_.qos.where, "there is nothing to send: expected 'traffic' or 'trace'");
    }
    if (raw_.trace.valid && raw_.trace.given) {
      out_.trace_where = raw_.trace.where;
      out_.trace = document_.resolve_path(raw_.trace.value, raw_.trace.where);
    }
    if (out_.levels.empty()) return;
    for (std::size_t i = 0; i < raw_.traffic.value.size(); ++i) {
      const auto& entry = raw_.traffic.value[i];
      if (!entry.valid || !entry.value.level.valid || !entry.value.source.valid) continue;
      if (auto stream = one_stream(entry.value, entry.where, fmt::format("traffic.{}", i))) {
        out_.streams.push_back(std::move(*stream));
      }
    }
  }

  std::optional<StreamConfig> one_stream(const RawStream& r, const Location& where, const std::string& path) {
    const auto sl = level_of(r.level.value, r.level.where, path + ".level");
    if (!sl) return std::nullopt;
    StreamConfig s;
    s.where = where;
    s.sl = *sl;
    s.source = r.source.value;
    s.destinations = r.destinations.given                    ? r.destinations.value
                     : s.source == SourceKind::constant_rate ? DestinationKind::permutation
                                                             : DestinationKind::uniform;
    s.load = r.load.value;
    s.burst = s.source == SourceKind::bursts ? r.burst.value : 1;
    s.self_traffic = r.self_traffic.value;
    const bool named = s.destinations == DestinationKind::pattern;
    if (r.destinations.given && !r.destinations.valid) return std::nullopt;
    if (named && !r.pattern.given) {
      diagnostics_.error(where, path + ": destinations 'pattern' needs the key 'pattern'");
    } else if (!named && r.pattern.given) {
      diagnostics_.error(r.pattern.key_where, fmt::format("{}.pattern: belongs to destinations 'pattern', not '{}'",
                                                          path, to_string(s.destinations)));
    }
    s.pattern = r.pattern.value;
    s.pattern_where = r.pattern.where;
    if (s.source == SourceKind::on_off) {
      if (!r.on.given || !r.off.given) {
        diagnostics_.error(where, path + ": source 'on_off' needs the keys 'on' and 'off'");
        return std::nullopt;
      }
      if (!r.on.valid || !r.off.valid) return std::nullopt;
      s.on = static_cast<std::uint64_t>(cycles(r.on));
      s.off = static_cast<std::uint64_t>(cycles(r.off));
      // While on, messages come at load * (on + off) / on, which cannot be more than the link takes.
      if (s.load * (s.on + s.off) > 1'000'000 * s.on) {
        diagnostics_.error(r.load.where,
                           fmt::format("{}.load: on only {} of {} cycles, a load of at most {} is possible", path, s.on,
                                       s.on + s.off, decimal_text(1'000'000 * s.on / (s.on + s.off), 6)));
      }
    }
    warn_unused(r.burst, s.source == SourceKind::bursts,
                fmt::format("{}.burst has no effect with source '{}'", path, to_string(s.source)), diagnostics_);
    warn_unused(r.self_traffic, s.destinations == DestinationKind::uniform,
                fmt::format("{}.self_traffic has no effect with destinations '{}'", path, to_string(s.destinations)),
                diagnostics_);
    return s;
  }

  void run() {
    const RawQosRun& r = raw_.run.value;
    out_.run = {r.warm_up.value, r.measure.value, r.drain.value};
    out_.message_log = raw_.observe.value.message_log.value;
    if (r.measure.valid && r.measure.value < out_.link.period) {
      diagnostics_.error(r.measure.where,
                         fmt::format("run.measure: shorter than one cycle ({})", to_string(out_.link.period)));
    }
  }

  const RawQosFabric& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  bool lanes_known_ = false;  ///< how many VLs each level has
  QosConfig out_;
};

}  // namespace

QosConfig resolve_qos(const RawQosFabric& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return QosResolver(raw, document, diagnostics).resolve();
}

std::string to_string(PacketArchitecture v) {
  switch (v) {
    case PacketArchitecture::ib:
      return "ib";
    case PacketArchitecture::opa:
      return "opa";
    case PacketArchitecture::iq:
      return "iq";
  }
  return {};
}

std::string to_string(IqAllocatorChoice v) { return v == IqAllocatorChoice::separable ? "separable" : "islip"; }

std::string to_string(IqReuseChoice v) { return v == IqReuseChoice::after_tail ? "after_tail" : "when_empty"; }

std::string to_string(RingControl v) {
  switch (v) {
    case RingControl::bubble:
      return "bubble";
    case RingControl::dateline:
      return "dateline";
    case RingControl::none:
      return "none";
  }
  return {};
}

std::string to_string(RouteTies v) { return v == RouteTies::random ? "random" : "plus"; }

std::string to_string(SchedulerChoice v) {
  switch (v) {
    case SchedulerChoice::dtable:
      return "dtable";
    case SchedulerChoice::ib_arbiter:
      return "ib_arbiter";
    case SchedulerChoice::round_robin:
      return "round_robin";
    case SchedulerChoice::strict_priority:
      return "strict_priority";
    case SchedulerChoice::drr:
      return "drr";
    case SchedulerChoice::scfq:
      return "scfq";
  }
  return {};
}

std::string to_string(SourceKind v) {
  switch (v) {
    case SourceKind::bernoulli:
      return "bernoulli";
    case SourceKind::constant_rate:
      return "constant_rate";
    case SourceKind::bursts:
      return "bursts";
    case SourceKind::on_off:
      return "on_off";
  }
  return {};
}

std::string to_string(DestinationKind v) {
  switch (v) {
    case DestinationKind::uniform:
      return "uniform";
    case DestinationKind::permutation:
      return "permutation";
    case DestinationKind::pattern:
      return "pattern";
  }
  return {};
}

}  // namespace weft

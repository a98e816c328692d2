// From what a file says about an OPTWEB network to its checked configuration.

#include <fmt/format.h>

#include <algorithm>

#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/messages.h"
#include "algorithms/optweb/neighbours.h"
#include "algorithms/optweb/program.h"
#include "base/random.h"
#include "fabrics/optweb/keys/optweb_boxes.h"
#include "fabrics/optweb/keys/optweb_host.h"
#include "fabrics/optweb/keys/optweb_link_failures.h"
#include "fabrics/optweb/keys/optweb_memory.h"
#include "fabrics/optweb/keys/optweb_schema.h"
#include "fabrics/optweb/keys/optweb_serial.h"
#include "fabrics/optweb/keys/optweb_topology.h"
#include "network/keys/port_range.h"

namespace weft {
namespace {

constexpr std::uint64_t kMostInterface = std::uint64_t{1} << 31;
constexpr std::int64_t kPsPerMetre = 5000;  // light in glass, 2/3 of its speed in vacuum

class OptwebResolver {
 public:
  OptwebResolver(const RawOptweb& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  OptwebSystemConfig resolve() {
    out_.title = raw_.title.value;
    out_.seed = raw_.seed.value;
    out_.nodes = raw_.nodes.value;
    out_.clock = raw_.clock.value;
    if (raw_.clock.valid) out_.period = *period_of(raw_.clock.value).value;
    check_whole_bytes(raw_.word, "word", diagnostics_);
    out_.word_bytes = static_cast<std::uint32_t>(bytes_of(raw_.word.value));
    if (!raw_.nodes.valid || !raw_.clock.valid || !raw_.word.valid) return out_;
    if (resolve_topology(raw_, out_, diagnostics_)) out_.neighbours.emplace(out_.levels);
    clocks();
    memory();
    rates();
    latencies();
    out_.hbm2 = resolve_hbm2(raw_.memory.value, out_, diagnostics_);
    fifos();
    wiring();
    adapters();
    resolve_link_failures(raw_, out_, diagnostics_);
    out_.sequencer_depth = raw_.sequencer.value.depth.value;
    implementations();
    out_.multipath_from = bytes_of(raw_.multipath_from.value);
    if (!has_traffic(raw_)) out_.relays = raw_.multipath_relays.value;
    out_.mode = raw_.mode.value;
    out_.verify = raw_.verify.value;
    if (out_.mode == OptwebMode::timing && out_.verify == OptwebVerify::data) {
      error(raw_.verify.where, "verify: there are no data to compare in mode 'timing'");
    }
    if (has_traffic(raw_)) {
      traffic();
    } else {
      programs();
    }
    waves();
    out_.host = host_accesses(raw_, out_, diagnostics_);
    return out_;
  }

 private:
  void error(const Location& where, std::string message) { diagnostics_.error(where, std::move(message)); }

  void implementations() {
    const RawOptwebSequencer& sequencer = raw_.sequencer.value;
    const RawOptwebDmac& dmac = raw_.dmac.value;
    const RawOptwebLink& link = raw_.link.value;
    const RawOptwebSwitch& control = raw_.distributed_switch.value;
    out_.all = {block_choice(link.implementation, link.rtl), block_choice(dmac.stripe_address, dmac.rtl),
                block_choice(sequencer.implementation, sequencer.rtl),
                block_choice(control.implementation, control.rtl)};
    out_.all_own_boxes = resolve_own_boxes(raw_.boxes);
    bool used[4] = {};
    for (const auto& entry : raw_.instances.value) {
      const auto range = parse_node_range(entry.name, entry.where, "instances", diagnostics_);
      if (!range) continue;
      const RawOptwebInstance& i = entry.value;
      const std::string at = "instances." + entry.name;
      out_.instances.push_back(
          {*range, block_exception(i.link, out_.all.link_sync, at + ".link", used[0], diagnostics_),
           block_exception(i.stripe_address, out_.all.stripe_address, at + ".stripe_address", used[1], diagnostics_),
           block_exception(i.sequencer, out_.all.command_sequencer, at + ".sequencer", used[2], diagnostics_),
           block_exception(i.distributed_switch, out_.all.switch_control, at + ".switch", used[3], diagnostics_),
           resolve_own_boxes(i.boxes)});
    }
    warn_unused_block(link.rtl, out_.all.link_sync, used[0], "link", diagnostics_);
    warn_unused_block(dmac.rtl, out_.all.stripe_address, used[1], "dmac", diagnostics_);
    warn_unused_block(sequencer.rtl, out_.all.command_sequencer, used[2], "sequencer", diagnostics_);
    warn_unused_block(control.rtl, out_.all.switch_control, used[3], "switch", diagnostics_);
  }

  // A list has an entry for each node; without one the seed says.
  void clocks() {
    const RawOptwebClocks& c = raw_.clocks.value;
    const auto fits = [&](const auto& list, const char* key) {
      if (!list.given || !list.valid) return false;
      if (list.value.size() == out_.nodes) return true;
      error(list.where,
            fmt::format("clocks.{}: expected one for each of {} nodes, got {}", key, out_.nodes, list.value.size()));
      return false;
    };
    if (c.phase.given && c.phases.given) {
      error(c.phase.key_where, "clocks.phase: the phases are given one by one; only one of 'phase' and 'phases'");
    }
    if (c.tolerance.given && c.offsets.given) {
      error(c.tolerance.key_where,
            "clocks.tolerance_ppm: the offsets are given one by one; only one of 'tolerance_ppm' and 'offsets_ppm'");
    }
    const bool phases = fits(c.phases, "phases");
    const bool offsets = fits(c.offsets, "offsets_ppm");
    for (NodeId n = 0; n < out_.nodes; ++n) {
      RandomStream random(out_.seed, fmt::format("clock of node[{}]", n));
      const auto span = static_cast<std::uint64_t>(out_.period.ps) * 1000;
      const std::uint64_t phase = random.below(span);
      const std::uint64_t offset = random.below(2 * c.tolerance.value + 1);
      OptwebClock clock;
      if (c.phase.value == OptwebPhase::random) clock.phase_fs = static_cast<std::int64_t>(phase);
      clock.offset_ppb = static_cast<std::int64_t>(offset) - static_cast<std::int64_t>(c.tolerance.value);
      if (phases) {
        if (c.phases.value[n].value >= out_.period) {
          error(c.phases.value[n].where, fmt::format("clocks.phases.{}: expected less than a period ({}), got '{}'", n,
                                                     to_string(out_.period), to_string(c.phases.value[n].value)));
        }
        clock.phase_fs = c.phases.value[n].value.ps * 1000;
      }
      if (offsets) clock.offset_ppb = c.offsets.value[n].value;
      out_.clocks.push_back(clock);
    }
    const bool faster =
        std::any_of(out_.clocks.begin(), out_.clocks.end(), [](const OptwebClock& k) { return k.offset_ppb > 0; });
    if (faster && out_.period.ps < 2) {  // the agenda has whole picoseconds
      error(raw_.clock.where, fmt::format("clock: expected at most 500GHz with clocks of their own, of which some are "
                                          "faster, got '{}'",
                                          to_string(out_.clock)));
    }
    const bool same = std::all_of(out_.clocks.begin(), out_.clocks.end(),
                                  [](const OptwebClock& k) { return k.phase_fs == 0 && k.offset_ppb == 0; });
    if (same) out_.clocks.clear();
  }

  void memory() {
    const RawOptwebMemory& m = raw_.memory.value;
    if (!m.capacity.valid || !m.interfaces.valid) return;
    const std::uint32_t interfaces = m.interfaces.value;
    out_.stripes = interfaces / 2;
    out_.interface_bytes = bytes_of(m.capacity.value) / interfaces;
    const std::size_t errors = diagnostics_.errors();
    if (interfaces % 2 != 0) {
      error(m.interfaces.where, fmt::format("memory.interfaces: expected an even number, got '{}'", interfaces));
      out_.interface_bytes = 0;
      return;
    }
    if (out_.neighbours && out_.stripes < out_.links() + 1) {
      error(m.interfaces.where,
            out_.levels.size() > 1
                ? fmt::format("memory.interfaces: {} links and the node itself need {} memory interfaces, "
                              "two each, there are {}",
                              out_.links(), 2 * out_.links() + 2, interfaces)
                : fmt::format("memory.interfaces: {} nodes need {} memory interfaces, two each, there are "
                              "{}",
                              out_.nodes, 2 * out_.nodes, interfaces));
    }
    capacity();
    if (diagnostics_.errors() > errors) out_.interface_bytes = 0;  // no address is judged by it
  }

  // A default is wrong because of the keys that it does not fit.
  void capacity() {
    const RawOptwebMemory& m = raw_.memory.value;
    const Location& where = m.capacity.given     ? m.capacity.where
                            : m.interfaces.given ? m.interfaces.where
                                                 : raw_.word.where;
    const std::string has =
        fmt::format("memory.capacity: {}{}", to_string(m.capacity.value), m.capacity.given ? "" : " (the default)");
    const std::uint32_t interfaces = m.interfaces.value;
    const std::uint64_t step = std::uint64_t{interfaces} * out_.word_bytes;
    const std::uint64_t most = interfaces * kMostInterface;
    const std::uint64_t bytes = bytes_of(m.capacity.value);
    if (bytes % step != 0) {
      const std::uint64_t nearest = std::clamp((bytes + step / 2) / step * step, step, most / step * step);
      error(where, fmt::format("{} are not whole words of {} bytes in each of {} interfaces; the nearest capacity that "
                               "is: {}B",
                               has, out_.word_bytes, interfaces, nearest));
    } else if (bytes > most) {
      error(where, fmt::format("{} over {} interfaces are more than 2GiB each, which is the most an interface has; at "
                               "most {}B",
                               has, interfaces, most / step * step));
    }
  }

  void rates() {
    const std::int64_t bus = std::int64_t{out_.word_bytes} * 8 * out_.clock.hz;
    const auto at_most_bus = [&](const Given<Rate>& rate, const std::string& path) {
      if (rate.value.bits_per_s <= bus) return;
      error(rate.where, fmt::format("{}: {} are more than a word per cycle ({})", path, to_string(rate.value),
                                    to_string(Rate{bus})));
    };
    const RawOptwebMemory& m = raw_.memory.value;
    out_.interface_rate = m.rate.given ? m.rate.value : Rate{bus};
    if (m.rate.given && m.rate.valid) at_most_bus(m.rate, "memory.rate");
    const RawOptwebLink& link = raw_.link.value;
    out_.link.rate = link.rate.value;
    if (link.serial.given) {
      resolve_serial(link.serial, link.rate, out_.clock, std::int64_t{out_.word_bytes} * 8, out_.link, diagnostics_);
    } else if (link.rate.valid) {
      at_most_bus(link.rate, "link.rate");
    }
    out_.link.gap = raw_.link.value.gap.value;
    out_.eager_buffer = bytes_of(raw_.distributed_switch.value.eager_buffer.value);
  }

  // Controllers of HBM2 have FIFOs of their own, which are told the pace of the link.
  void fifos() {
    if (!out_.hbm2 || !out_.has_fifos()) return;
    error(
        raw_.link.value.serial.value.fifo.where,
        "link.serial.fifo: not with memory.model: hbm2, whose own FIFOs hand words over at the pace of the link; only "
        "one of both");
  }

  void latencies() {
    const auto cycles = [&](const Given<CycleSpan>& span) { return span.value.cycles(out_.period); };
    const RawOptwebSwitch& s = raw_.distributed_switch.value;
    const RawOptwebLink& l = raw_.link.value;
    OptwebLatencies& t = out_.latencies;
    t.dispatch = cycles(raw_.dmac.value.dispatch);
    t.read = cycles(raw_.memory.value.read);
    t.write = cycles(raw_.memory.value.write);
    t.setup = cycles(s.setup);
    t.notification = cycles(s.notification);
    t.distributor = cycles(s.distributor);
    t.select = cycles(s.select);
    t.gate = cycles(s.gate);
    t.receive = cycles(s.receive);
    t.counter = cycles(s.counter);
    t.notified = cycles(s.notified);
    t.reduce = cycles(s.reduce);
    t.report = cycles(s.report);
    t.transmit = cycles(l.transmit);
    t.link_ip = cycles(l.ip) + (l.serial.given ? cycles(l.serial.value.ecc) : 0);
    t.receive_link = cycles(l.receive);
  }

  void wiring() {
    const RawOptwebWiring& w = raw_.wiring.value;
    out_.link.wiring = w.kind.value;
    out_.link.length_cm = static_cast<std::int64_t>(w.length.value);
    out_.link.hub = w.hub.value;
    if (w.hub.given && w.kind.valid && w.kind.value == OptwebWiring::direct) {
      error(w.hub.key_where, "wiring.hub: direct wiring has no hub");
    }
    const Duration light{out_.link.length_cm * kPsPerMetre / 100 + out_.link.hub.ps};
    // A link takes a cycle at least: everything one node does to another is later than its cause.
    out_.link.propagation = std::max<Cycle>(1, CycleSpan{false, light.ps}.cycles(out_.period));
  }

  // Places are those of faults.
  void adapters() {
    out_.adapters = resolve_adapters(raw_.adapters, out_.period, diagnostics_);
    if (!out_.neighbours || out_.adapters.empty()) return;
    const Graph graph = optweb::network_graph(out_.levels);
    const optweb::Neighbours& links = *out_.neighbours;
    std::vector<Cycle> delays(std::size_t{out_.nodes} * links.dmacs());
    for (const AdapterConfig& a : out_.adapters) {
      for (const optweb::NodePair& pair : link_places(a.name, a.place, graph, diagnostics_)) {
        delays[std::size_t{pair.a} * links.dmacs() + links.dmac(pair.a, pair.b).value()] += a.delay;
        delays[std::size_t{pair.b} * links.dmacs() + links.dmac(pair.b, pair.a).value()] += a.delay;
      }
    }
    out_.adapter_delays = std::move(delays);
  }

  void programs() {
    std::vector<Location> given;
    if (raw_.program.given) given.push_back(raw_.program.key_where);
    if (raw_.programs.given) given.push_back(raw_.programs.key_where);
    if (raw_.program_file.given) given.push_back(raw_.program_file.key_where);
    if (raw_.measure.given) given.push_back(raw_.measure.key_where);
    if (given.size() != 1) {
      error(given.empty() ? document_.root.where : given.back(),
            given.empty() ? "one of program, programs, program_file, measure, traffic and trace is needed"
                          : "only one of program, programs, program_file and measure may be given");
      return;
    }
    warn_unused(raw_.qos, false, "qos has no effect without traffic", diagnostics_);
    warn_unused(raw_.run, false, "run has no effect with programs, which run to their end", diagnostics_);
    warn_unused(raw_.observe.value.message_log, false, "observe.message_log has no effect with programs", diagnostics_);
    out_.workload.profile = profile_window(raw_.observe.value.profile, out_.period);
    unused_buffers();
    ProgramTarget target{out_.nodes, out_.period, out_.interface_bytes, {}};
    if (out_.levels.size() > 1 && out_.neighbours) {
      target.keeps_twice =
          out_.levels.size() > 2 || (out_.levels.size() == 2 && out_.link.detour != OptwebDetour::none);
      target.steps = [links = *out_.neighbours](const std::vector<NodeId>& nodes) { return links.spanned(nodes); };
    }
    warn_unused(raw_.multipath_relays, !raw_.measure.given,
                "multipath_relays has no effect with 'measure', whose operations are over all nodes", diagnostics_);
    if (raw_.program_file.given) {
      if (!raw_.program_file.valid) return;
      if (const auto file = read_program_file(raw_.program_file, document_, out_.nodes, diagnostics_)) {
        programs(*file, target);
      }
    } else if (!raw_.measure.given) {
      programs(raw_, target);
    } else if (raw_.measure.valid) {
      const ProgramInstruction common = common_instruction(raw_, target, "measure", diagnostics_);
      const auto place = [&](ProgramInstruction& i) {
        if (!raw_.buffers.value.receive.given) i.receive = default_receive(i, target);
      };
      out_.programs.push_back(
          {"measure", common.group, measured_program(raw_.measure.value, common, place, diagnostics_)});
      out_.measures = true;
    }
  }

  // Which instructions go by way of relays is known when they are resolved; only those have the places for that.
  void programs(const RawPrograms& raw, const ProgramTarget& target) {
    out_.programs = resolve_programs(raw, target, diagnostics_);
    if (out_.relays == OptwebRelays::none || !out_.neighbours || !diagnostics_.ok()) return;
    Diagnostics said;
    const std::vector<NodeProgram> placed = resolve_programs(with_relay_places(raw, out_), target, said);
    for (std::size_t p = 0; p < placed.size(); ++p) {
      for (std::size_t i = 0; i < placed[p].instructions.size(); ++i) {
        ProgramInstruction& in = out_.programs[p].instructions[i];
        if (optweb::goes_by_relays(out_, in)) in = placed[p].instructions[i];
      }
    }
  }

  // Messages between nodes; they all lie at the same places, and take one link or two.
  void traffic() {
    refuse_keys({{"measure", raw_.measure},
                 {"program", raw_.program},
                 {"programs", raw_.programs},
                 {"program_file", raw_.program_file}},
                "there is traffic; only one of both may be given", diagnostics_);
    warn_unused(raw_.buffers, false, "buffers has no effect without programs", diagnostics_);
    warn_unused(raw_.multipath_relays, false, "multipath_relays has no effect with traffic", diagnostics_);
    warn_unused(raw_.multipath_from, false, "multipath_from has no effect with traffic, whose messages take one path",
                diagnostics_);
    if (out_.verify == OptwebVerify::data && raw_.host.given) {
      error(raw_.verify.where, "verify: hosts may write what messages send (host), so the data cannot be compared");
    }
    out_.workload = resolve_traffic(raw_, document_,
                                    {"OPTWEB network", out_.nodes, raw_.nodes.where, optweb::agenda_period(out_),
                                     DataSize{std::int64_t{out_.word_bytes} * 8}},
                                    diagnostics_);
    if (out_.interface_bytes == 0) return;
    const std::uint64_t most = optweb::most_message_bytes(out_);
    for (const ServiceConfig& s : out_.workload.traffic.services) {
      if (s.bytes() <= most) continue;
      error(s.where, fmt::format("qos.levels.{}.message: expected at most {}B, which have a place in the memory, got "
                                 "'{}'",
                                 s.name, most, to_string(s.message_size)));
    }
  }

  void waves() {
    const RawNodeWaves& waves = raw_.observe.value.node_waves.value;
    out_.waves.times = resolve_wave_times(waves, diagnostics_);
    out_.workload.wave_trigger = out_.waves.times.trigger;
    out_.workload.wave_transfers = out_.waves.times.transfers;
    out_.waves.nodes = observed_nodes(waves.nodes, "observe.waves.nodes", out_.nodes, diagnostics_);
    out_.boxes = resolve_boxes(raw_.observe.value.node_boxes, out_.nodes, diagnostics_);
  }

  // What other keys say already.
  void unused_buffers() {
    const Given<DataSize>& size = raw_.buffers.value.size;
    if (raw_.measure.given && raw_.buffers.valid && size.given) {
      error(size.key_where, "buffers.size: has no effect, 'measure' has its own sizes (measure.sizes)");
    }
    if (raw_.program_file.given) check_unused_buffers(raw_, diagnostics_);
  }

  const RawOptweb& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  OptwebSystemConfig out_;
};

}  // namespace

OptwebSystemConfig resolve_optweb(const RawOptweb& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return OptwebResolver(raw, document, diagnostics).resolve();
}

}  // namespace weft

#include "studies/cost/light_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "algorithms/optweb/optics/light_plan.h"

namespace weft {
namespace {

constexpr std::int64_t kMostDb = 100'00;
constexpr std::int64_t kMostThz = 1000'0000;
constexpr std::int64_t kMostCm = 10'000'00;

Type<std::int64_t> decibels() { return unit_decimal_type("dB", 2, 0, kMostDb); }
Type<std::int64_t> level() { return unit_decimal_type("dBm", 2, -kMostDb, kMostDb); }
Type<std::int64_t> metres() { return unit_decimal_type("m", 2, 0, kMostCm); }

// Losses of literature and vendors; where there are none, values that are usual and marked (ours).
constexpr std::string_view kPath =
    "[{name: light source, part: light source, carries: network, pieces: per_wavelength, source: (ours)}, "
    "{name: multiplexer of the sources, part: WDM filter, loss: 4.5dB, carries: network, pieces: per_network, "
    "source: 'AWG of 40 channels, vendor data: 4.5 dB typical, 6 at most'}, "
    "{name: splitter, part: splitter, kind: split_over_nodes, loss: 1.5dB, carries: network, pieces: per_network, "
    "source: (ours)}, "
    "{name: amplifier of the light, part: EDFA, kind: amplifier, gain: 25dB, most_output: 26dBm, level: 12dBm, "
    "carries: network, pieces: per_node, source: '(ours): closes up to 64 nodes'}, "
    "{name: demultiplexer of the light, part: WDM filter, loss: 4.5dB, pieces: per_node, source: as above}, "
    "{name: fibre to chip, loss: 1.5dB, source: (ours)}, "
    "{name: modulator, loss: 8.4dB, source: 'Sci. Rep. 7:13857 (2017), table 1: modulation penalty'}, "
    "{name: chip to fibre, loss: 1.5dB, source: (ours)}, "
    "{name: multiplexer, part: WDM filter, loss: 4.5dB, pieces: per_node, source: as above}, "
    "{name: amplifier of the signal, part: EDFA, kind: amplifier, gain: 25dB, most_output: 26dBm, level: 12dBm, "
    "pieces: per_node, source: '(ours): closes up to 64 nodes'}, "
    "{name: cable to the hub, kind: cable_out, loss: 1dB, source: '(ours): two connectors'}, "
    "{name: router, part: WDM filter, kind: router, loss: 4.5dB, pieces: per_node, source: as above}, "
    "{name: cable from the hub, kind: cable_in, loss: 1dB, source: '(ours): two connectors'}, "
    "{name: demultiplexer, part: WDM filter, loss: 4.5dB, pieces: per_node, source: as above}, "
    "{name: fibre to receiver, loss: 1.5dB, source: (ours)}]";

constexpr std::string_view kFibrePath =
    "[{name: fibre to chip, loss: 1.5dB, source: (ours)}, "
    "{name: modulator, loss: 8.4dB, source: 'Sci. Rep. 7:13857 (2017), table 1: modulation penalty'}, "
    "{name: chip to fibre, loss: 1.5dB, source: (ours)}, "
    "{name: cable to the hub, kind: cable_out, loss: 1dB, source: '(ours): two connectors'}, "
    "{name: cable from the hub, kind: cable_in, loss: 1dB, source: '(ours): two connectors'}, "
    "{name: fibre to receiver, loss: 1.5dB, source: (ours)}]";

Section<RawLightStage> stage_section(std::string_view name) {
  Section<RawLightStage> s(name, "One stage on the path of the light, in the order in which light passes.");
  s.key("name", &RawLightStage::name, text_type(), required(), "Name of the stage.");
  s.key("part", &RawLightStage::part, text_type(), optional("in the price of another part"),
        "Its part in 'parts', which has the price.");
  s.key(
      "kind", &RawLightStage::kind, choice<LightKind>(), by_default("fixed"),
      "fixed: a loss; amplifier: a gain, up to an output power; split_over_nodes: power divided by the nodes; router: "
      "the hub's, by 'router'; cable_out, cable_in: cable of the sending and of the receiving node.");
  s.key("loss", &RawLightStage::loss, decibels(), by_default("0dB"), "Loss; of a splitter, router or cable in excess.");
  s.key("gain", &RawLightStage::gain, decibels(), optional("no amplifier"), "Gain of an amplifier.");
  s.key("most_output", &RawLightStage::most_output, level(), optional("no amplifier"),
        "Most power behind an amplifier, of all wavelengths together.");
  s.key("level", &RawLightStage::level, level(), optional("as high as gain and output allow"),
        "Power of one wavelength that an amplifier is set to, if gain and output allow.");
  s.key("carries", &RawLightStage::carries, choice<LightCarries>(), by_default("node"),
        "Wavelengths in its fibre: those of the network or of one node.");
  s.key("pieces", &RawLightStage::pieces, choice<LightPieces>(), by_default("none"),
        "Pieces of the part that a network needs.");
  s.key("source", &RawLightStage::source, text_type(), by_default("''"), "Where its figures come from.");
  return s;
}

std::vector<LightStage> resolve_path(const std::vector<Placed<RawLightStage>>& raw, const std::string& path,
                                     bool by_wavelength, Diagnostics& diagnostics) {
  std::vector<LightStage> out;
  std::size_t routers = 0;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    const RawLightStage& r = raw[i].value;
    const LightKind kind = r.kind.value;
    const std::string at = fmt::format("{}.{}", path, i);
    if (kind == LightKind::amplifier && !(r.gain.given && r.most_output.given)) {
      diagnostics.error(raw[i].where, at + ": an amplifier needs 'gain' and 'most_output'");
    }
    for (const KeyState* key : {static_cast<const KeyState*>(&r.gain), static_cast<const KeyState*>(&r.most_output),
                                static_cast<const KeyState*>(&r.level)}) {
      if (kind == LightKind::amplifier || !key->given) continue;
      diagnostics.error(key->key_where,
                        at + ": only an amplifier has 'gain', 'most_output' and 'level'; write kind: amplifier");
    }
    if (r.pieces.value != LightPieces::none && !r.part.given) {
      diagnostics.error(r.pieces.key_where, at + ": 'pieces' counts a part; name it with 'part'");
    }
    if (kind == LightKind::router) ++routers;
    if (!by_wavelength && (kind == LightKind::router || kind == LightKind::split_over_nodes)) {
      diagnostics.error(r.kind.where, fmt::format("{}: direct wiring and P-OH have no {}; it belongs into 'path'", at,
                                                  to_string(kind)));
    }
    out.push_back({r.name.value, r.part.value, kind, r.loss.value, r.gain.value, r.most_output.value,
                   r.level.given ? std::optional(r.level.value) : std::nullopt, r.carries.value, r.pieces.value,
                   r.source.value});
  }
  if (by_wavelength && routers != 1 && !raw.empty()) {
    diagnostics.error(raw.front().where, fmt::format("{}: light passes one router, got {}", path, routers));
  }
  return out;
}

std::string decibel_text(double db) { return fmt::format("{:.2f} dB", db); }

}  // namespace

Section<RawLight> light_section() {
  Section<RawLight> s("light", "Wavelength plan and power budget of the optics.");
  s.key("wiring", &RawLight::wiring, choice<OptwebWiring>(), by_default("w_oh"),
        "Wiring that is planned: direct, p_oh (fibre sheet), w_oh (wavelength router).");
  s.key(
      "router", &RawLight::router, choice<LightRouter>(), by_default("awg"),
      "Router of W-OH: awg, where the wavelength selects the output; coupler, where all outputs get all wavelengths.");
  s.key("lane", &RawLight::lane, rate_type({1'000'000'000}, {10'000'000'000'000}), by_default("25Gb/s"),
        "Rate of one wavelength, or of one fibre without WDM.");
  s.key("first", &RawLight::first, unit_decimal_type("THz", 4, 1'0000, kMostThz), by_default("196.1THz"),
        "Frequency of wavelength 0; the others lie below.");
  s.key("spacing", &RawLight::spacing, unit_decimal_type("GHz", 1, 1, 100'000'0), by_default("50GHz"),
        "Between neighbouring wavelengths.");
  s.key("band", &RawLight::band, unit_decimal_type("nm", 2, 1, 1000'00), by_default("40nm"),
        "Range of wavelengths that can be used.");
  s.key("launch", &RawLight::launch, level(), by_default("13dBm"), "Power of a wavelength at its source.");
  s.key("sensitivity", &RawLight::sensitivity, level(), by_default("-9.7dBm"), "Least power at a receiver.");
  s.key("overload", &RawLight::overload, level(), by_default("4dBm"), "Most power at a receiver.");
  s.key("margin", &RawLight::margin, decibels(), by_default("3dB"),
        "Margin above the sensitivity that every link must have.");
  s.key("edge_loss", &RawLight::edge_loss, decibels(), by_default("1.5dB"),
        "Loss of an AWG between its outermost ports above that between central ones.");
  s.key("shortest", &RawLight::shortest, metres(), by_default("1m"), "Cable from node 0 to the hub.");
  s.key("longest", &RawLight::longest, metres(), by_default("5m"), "Cable from the last node to the hub.");
  s.key("fibre_loss", &RawLight::fibre_loss, unit_decimal_type("dB/km", 2, 0, kMostDb), by_default("0.35dB/km"),
        "Loss of fibre.");
  s.key("path", &RawLight::path, list_of(stage_section("path").type(), 1, kAnyCount), by_default(kPath),
        "Path of the light with W-OH.");
  s.key("fibre_path", &RawLight::fibre_path, list_of(stage_section("fibre_path").type(), 1, kAnyCount),
        by_default(kFibrePath), "Path of the light with direct wiring and P-OH.");
  return s;
}

std::optional<LightConfig> resolve_light(const RawLight& raw, Diagnostics& diagnostics) {
  const std::size_t before = diagnostics.errors();
  LightConfig out;
  out.wiring = raw.wiring.value;
  out.router = raw.router.value;
  out.lane = raw.lane.value;
  out.first = raw.first.value;
  out.spacing = raw.spacing.value;
  out.band = raw.band.value;
  out.launch = raw.launch.value;
  out.sensitivity = raw.sensitivity.value;
  out.overload = raw.overload.value;
  out.margin = raw.margin.value;
  out.edge_loss = raw.edge_loss.value;
  out.shortest = raw.shortest.value;
  out.longest = raw.longest.value;
  out.fibre_loss = raw.fibre_loss.value;
  out.path = resolve_path(raw.path.value, "light.path", true, diagnostics);
  out.fibre_path = resolve_path(raw.fibre_path.value, "light.fibre_path", false, diagnostics);
  const auto not_above = [&](const auto& low, const auto& high, std::string_view message) {
    if (low.valid && high.valid && low.value > high.value) {
      diagnostics.error(low.given ? low.where : high.where, std::string(message));
    }
  };
  not_above(raw.shortest, raw.longest, "light.shortest: is longer than 'longest'");
  not_above(raw.sensitivity, raw.overload, "light.sensitivity: is above 'overload', so no power would do");
  const std::vector<const KeyState*> keys{&raw.wiring,   &raw.router,  &raw.lane,        &raw.first,
                                          &raw.spacing,  &raw.band,    &raw.launch,      &raw.overload,
                                          &raw.margin,   &raw.path,    &raw.sensitivity, &raw.edge_loss,
                                          &raw.shortest, &raw.longest, &raw.fibre_loss,  &raw.fibre_path};
  const bool valid = std::all_of(keys.begin(), keys.end(), [](const KeyState* k) { return k->valid; });
  return valid && diagnostics.errors() == before ? std::optional(out) : std::nullopt;
}

void check_light(const LightConfig& light, const Given<RawLight>& raw, std::uint32_t nodes, Rate bandwidth,
                 Diagnostics& diagnostics) {
  const optweb::LightPlan plan = optweb::light_plan(light, nodes, bandwidth);
  const Location& where = raw.given ? raw.key_where : raw.where;
  const auto largest = optweb::largest_light(light, bandwidth, nodes);
  const std::string remedy = largest ? fmt::format("; {} nodes are possible with these parts", *largest)
                                     : std::string("; with these parts not even two nodes are possible");
  if (const std::uint32_t fit = optweb::band_wavelengths(light);
      light.wiring == OptwebWiring::w_oh && plan.wavelengths > fit) {
    diagnostics.error(where, fmt::format("light: {} nodes with {} lane{} a link need {} wavelengths ({}), and {} fit "
                                         "into 'band'{}",
                                         nodes, plan.lanes, plan.lanes == 1 ? "" : "s", plan.wavelengths,
                                         to_string(light.router), fit, remedy));
    return;
  }
  const optweb::LightExtremes extremes = optweb::light_extremes(light, plan);
  if (!extremes.weakest.closes()) {
    const optweb::LightBudget& b = extremes.weakest;
    if (b.spare < 0) {
      diagnostics.error(
          where, fmt::format("light: the power budget does not close: from node {} to node {} {:.2f} dBm arrive, "
                             "the receiver needs {:.2f} dBm and a margin of {:.2f} dB, {} are missing{}",
                             b.from, b.to, b.received, static_cast<double>(light.sensitivity) / 100,
                             static_cast<double>(light.margin) / 100, decibel_text(-b.spare), remedy));
    }
  }
  if (!extremes.strongest.closes() && extremes.strongest.headroom < 0) {
    const optweb::LightBudget& b = extremes.strongest;
    diagnostics.error(
        where,
        fmt::format("light: too much light: from node {} to node {} {:.2f} dBm arrive, the receiver "
                    "stands {:.2f} dBm, {} too many; lower 'launch' or a gain",
                    b.from, b.to, b.received, static_cast<double>(light.overload) / 100, decibel_text(-b.headroom)));
  }
}

}  // namespace weft

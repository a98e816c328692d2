#include "studies/cost/cost_origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "schema/resolved.h"

namespace weft {
namespace {

struct DefaultOrigin {
  const char* key;
  CostOrigin origin;
  const char* source;
};

// Sections are those of the OPTWEB paper.
constexpr std::array kDefaults{
    DefaultOrigin{"node_bandwidth", CostOrigin::stated, "section 5.1"},
    DefaultOrigin{"packet_network", CostOrigin::stated, "section 5.1: InfiniBand, 32 nodes, copper cables"},
    DefaultOrigin{"transceiver", CostOrigin::stated, "section 5.1: silicon photonics"},
    DefaultOrigin{"parts", CostOrigin::fitted,
                  "section 5.1 states the prices; pieces per node are fitted to its sum of 3 $/(Gb/s)"},
    DefaultOrigin{"fpga.price", CostOrigin::stated, "section 5.1"},
    DefaultOrigin{"fpga.share", CostOrigin::fitted, "remainder of the stated total of 5.5 $/(Gb/s)"},
    DefaultOrigin{"fpga.alms", CostOrigin::stated, "section 4.4"},
    DefaultOrigin{"fpga.size", CostOrigin::literature, "Intel Stratix 10 MX product table: MX 2100"},
    DefaultOrigin{"fibre", CostOrigin::fitted,
                  "from 75 to 77.4 $ P-OH is the cheaper wiring up to 32 nodes, as stated"},
    DefaultOrigin{"links", CostOrigin::stated, "section 5.3"},
    DefaultOrigin{"light.lane", CostOrigin::stated, "section 4.1: 25 Gb/s per transceiver lane"},
    DefaultOrigin{"light.first", CostOrigin::ours, "C band on the ITU-T G.694.1 grid"},
    DefaultOrigin{"light.spacing", CostOrigin::stated, "section 5.3: 50 GHz"},
    DefaultOrigin{"light.band", CostOrigin::stated, "section 5.3: about 40 nm"},
    DefaultOrigin{"light.launch", CostOrigin::ours, "a DFB laser of 20 mW"},
    DefaultOrigin{"light.sensitivity", CostOrigin::literature,
                  "Sci. Rep. 7:13857 (2017), figure 13: silicon photonics receiver at 25 Gb/s"},
    DefaultOrigin{"light.overload", CostOrigin::ours, "usual for PIN receivers"},
    DefaultOrigin{"light.margin", CostOrigin::ours, "aging, temperature, repair"},
    DefaultOrigin{"light.edge_loss", CostOrigin::literature, "uniformity of an AWG of 40 channels: 1.5 dB at most"},
    DefaultOrigin{"light.shortest", CostOrigin::ours, "one rack"},
    DefaultOrigin{"light.longest", CostOrigin::ours, "one rack"},
    DefaultOrigin{"light.fibre_loss", CostOrigin::literature, "ITU-T G.652: 0.35 dB/km at 1530 to 1565 nm at most"},
};

}  // namespace

Section<RawCostOrigin> cost_origin_section() {
  Section<RawCostOrigin> s("origins", "Origin of one figure of this file, for the report.");
  s.key("key", &RawCostOrigin::key, word_type(), required(), "Key of the figure, as in fpga.share.");
  s.key("origin", &RawCostOrigin::origin, choice<CostOrigin>(), required(),
        "stated by the paper, fitted to a result, literature (a vendor's data too), ours (chosen), given.");
  s.key("source", &RawCostOrigin::source, text_type(), required(), "Where it stands, or what it was fitted to.");
  return s;
}

std::vector<CostInput> cost_inputs(const std::vector<CostFigure>& figures, const RawCostOrigins& origins,
                                   Diagnostics& diagnostics) {
  std::vector<std::string> keys;
  for (const CostFigure& f : figures) keys.push_back(f.key);
  std::set<std::string> seen;
  for (const Placed<RawCostOrigin>& o : origins) {
    const Given<std::string>& key = o.value.key;
    if (!key.valid) continue;
    if (std::find(keys.begin(), keys.end(), key.value) == keys.end()) {
      diagnostics.error(key.where, fmt::format("origins: '{}' is no figure of this file{}", key.value,
                                               did_you_mean(key.value, keys)));
    } else if (!seen.insert(key.value).second) {
      diagnostics.error(key.where, fmt::format("origins: '{}' has an origin already", key.value));
    }
  }
  std::vector<CostInput> out;
  for (const CostFigure& f : figures) {
    if (!f.counts) continue;
    CostInput& input = out.emplace_back(CostInput{f.key, f.value, CostOrigin::given, {}});
    if (!f.state->given) {
      const auto* const d = std::find_if(kDefaults.begin(), kDefaults.end(),
                                         [&](const DefaultOrigin& known) { return known.key == f.key; });
      if (d != kDefaults.end()) {
        input.origin = d->origin;
        input.source = d->source;
      }
      continue;
    }
    const auto o = std::find_if(origins.begin(), origins.end(), [&](const Placed<RawCostOrigin>& known) {
      return known.value.key.value == f.key && known.where.file == f.state->where.file;
    });
    if (o != origins.end()) {
      input.origin = o->value.origin.value;
      input.source = o->value.source.value;
    } else {
      input.source = origin_text(f.state->where);
    }
  }
  return out;
}

}  // namespace weft

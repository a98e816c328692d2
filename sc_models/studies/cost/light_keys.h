#pragma once
// Keys of section `light` of the files of `weft optweb cost`: wavelengths, path of the light, receiver.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/optweb/optics/light_config.h"
#include "base/diagnostics.h"
#include "base/units.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawLightStage {
  Given<std::string> name;
  Given<std::string> part;
  Given<LightKind> kind;
  Given<std::int64_t> loss;
  Given<std::int64_t> gain;
  Given<std::int64_t> most_output;
  Given<std::int64_t> level;
  Given<LightCarries> carries;
  Given<LightPieces> pieces;
  Given<std::string> source;
};

struct RawLight {
  Given<OptwebWiring> wiring;
  Given<LightRouter> router;
  Given<Rate> lane;
  Given<std::int64_t> first;
  Given<std::int64_t> spacing;
  Given<std::int64_t> band;
  Given<std::int64_t> launch;
  Given<std::int64_t> sensitivity;
  Given<std::int64_t> overload;
  Given<std::int64_t> margin;
  Given<std::int64_t> edge_loss;
  Given<std::int64_t> shortest;
  Given<std::int64_t> longest;
  Given<std::int64_t> fibre_loss;
  Given<std::vector<Placed<RawLightStage>>> path;
  Given<std::vector<Placed<RawLightStage>>> fibre_path;
};

Section<RawLight> light_section();
/// Checks what the keys say about each other. None with errors.
std::optional<LightConfig> resolve_light(const RawLight& raw, Diagnostics& diagnostics);
/// Errors when the wavelengths of the network do not fit into the band, or when the power budget does not close.
void check_light(const LightConfig& light, const Given<RawLight>& raw, std::uint32_t nodes, Rate bandwidth,
                 Diagnostics& diagnostics);

}  // namespace weft

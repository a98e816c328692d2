#pragma once
// Origins of the figures of a cost file: stated by the paper, fitted, from literature, chosen by Weft or by the user.

#include <string>
#include <vector>

#include "algorithms/optweb/cost.h"
#include "base/diagnostics.h"
#include "schema/schema.h"
#include "schema/schema_types.h"

namespace weft {

struct RawCostOrigin {
  Given<std::string> key;
  Given<CostOrigin> origin;
  Given<std::string> source;
};

using RawCostOrigins = std::vector<Placed<RawCostOrigin>>;

Section<RawCostOrigin> cost_origin_section();

/// A figure that a file may have, with its value as text.
struct CostFigure {
  std::string key;
  const KeyState* state;
  std::string value;
  bool counts = true;  ///< false: there is none, neither given nor by default
};

/// Each figure that counts with its origin. A figure that the user did not give has the origin of Weft's default; one
/// that an entry of `origins` in the same file names has that entry's; any other was given by the user.
std::vector<CostInput> cost_inputs(const std::vector<CostFigure>& figures, const RawCostOrigins& origins,
                                   Diagnostics& diagnostics);

}  // namespace weft

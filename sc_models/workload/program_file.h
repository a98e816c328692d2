#pragma once
// Program files whose document is read already; see algorithms/collectives/program.h.

#include "algorithms/collectives/program.h"
#include "schema/document.h"

namespace weft {

bool is_program_file(const ConfigDocument& document);
ProgramFile read_program_file(const ConfigDocument& document);

}  // namespace weft

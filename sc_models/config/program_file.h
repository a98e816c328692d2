#pragma once
// Program files whose document is read already; see config/program_config.h.

#include "config/document.h"
#include "config/program_config.h"

namespace weft {

bool is_program_file(const ConfigDocument& document);
ProgramFile read_program_file(const ConfigDocument& document);

}  // namespace weft

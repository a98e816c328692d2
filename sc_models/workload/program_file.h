#pragma once
// Files that hold programs of nodes and no network.

#include <cstdint>
#include <string>
#include <vector>

#include "algorithms/collectives/program.h"
#include "schema/document.h"

namespace weft {

struct ProgramFile {
  std::string title;
  std::uint32_t nodes = 0;
  std::vector<NodeProgram> programs;  ///< computations in cycles of 1 ps
};

/// It has a program and no fabric.
bool is_program_file(const ConfigDocument& document);
/// Checks a program file by itself. Throws InputError with everything that is wrong.
ProgramFile read_program_file(const ConfigDocument& document);

}  // namespace weft

// Programs of a network of messages: which of the ways to give them is used, and for how many nodes.

#include <fmt/format.h>

#include "workload/program_schema.h"

namespace weft {

void refuse_keys(const std::vector<NamedKey>& others, const std::string& why, Diagnostics& diagnostics) {
  for (const NamedKey& other : others) {
    if (other.key.given) diagnostics.error(other.key.key_where, fmt::format("{}: {}", other.name, why));
  }
}

bool check_alone(const RawConfigPrograms& raw, const std::vector<NamedKey>& others, Diagnostics& diagnostics,
                 const std::string& why) {
  refuse_keys(others, "cannot be combined with programs" + why, diagnostics);
  if (raw.program.given + raw.programs.given + raw.program_file.given <= 1) return true;
  diagnostics.error(raw.program_file.given ? raw.program_file.key_where : raw.programs.key_where,
                    "only one of program, programs and program_file may be given");
  return false;
}

std::optional<NetworkPrograms> resolve_network_programs(const RawConfigPrograms& raw, const ConfigDocument& document,
                                                        const MessageNetwork& network, Diagnostics& diagnostics) {
  NetworkPrograms out;
  out.where = network.topology;
  if (network.nodes && (*network.nodes < 2 || *network.nodes > kMostProgramNodes)) {
    diagnostics.error(network.topology, fmt::format("topology: programs run on 2 to {} nodes; this {} has {}",
                                                    kMostProgramNodes, network.kind, *network.nodes));
    return std::nullopt;
  }
  if (raw.program_file.given) {
    check_unused_buffers(raw, diagnostics);
    if (!raw.program_file.valid) return std::nullopt;
    const auto file = read_program_file(raw.program_file, document, network.nodes, diagnostics);
    if (!file) return std::nullopt;
    out.nodes = file->nodes.value;
    if (!network.nodes) out.where = file->nodes.where;
    out.programs = resolve_programs(*file, {.nodes = out.nodes, .period = network.period}, diagnostics);
    return out;
  }
  if (!network.nodes) {
    diagnostics.error(raw.program.given ? raw.program.key_where : raw.programs.key_where,
                      "programs for a topology from a file stand in a program_file, which says how many nodes there "
                      "are");
    return std::nullopt;
  }
  out.nodes = *network.nodes;
  out.programs = resolve_programs(raw, {.nodes = out.nodes, .period = network.period}, diagnostics);
  return out;
}

}  // namespace weft

#include "cli/fabrics.h"

#include <array>

#include "fabrics/optweb/keys/optweb_schema.h"
#include "fabrics/packet/keys/packet_schema.h"
#include "fabrics/tdm/keys/tdm_schema.h"
#include "studies/cost/optweb_cost.h"
#include "studies/dlt/dlt_schema.h"
#include "studies/dtable/table_requirements.h"
#include "sweep/sweep_config.h"
#include "workload/program_schema.h"

namespace weft {
namespace {

struct Entry {
  const char* name;
  const char* meaning;
  std::shared_ptr<const SectionInfo> (*keys)();
};

constexpr std::array kFabrics{
    Entry{"tdm", "Time-division multiplexed circuit switches (FiC-SW), with slot tables written by a central unit.",
          [] { return tdm_section(fabric_names()).info(); }},
    Entry{"packet",
          "Packet switches with virtual cut-through and quality of service (IB-like, OPA-like), on trees and tori.",
          [] { return packet_section(fabric_names()).info(); }},
    Entry{"dlt",
          "A divisible load spread over a network of nodes with a compute time and links with a transfer time "
          "(`weft dlt`).",
          [] { return dlt_section(fabric_names()).info(); }},
    Entry{"optweb",
          "Fully connected FPGAs (OPTWEB): memory, M_DMAC, distributed switch and command sequencer of every node, "
          "running programs of collectives.",
          [] { return optweb_section(fabric_names()).info(); }},
};

}  // namespace

std::vector<std::string> fabric_names() {
  std::vector<std::string> names;
  names.reserve(std::size(kFabrics));
  for (const Entry& e : kFabrics) names.emplace_back(e.name);
  return names;
}

std::vector<Fabric> fabrics() {
  std::vector<Fabric> out;
  out.reserve(std::size(kFabrics));
  for (const Entry& e : kFabrics) out.push_back({e.name, e.meaning, e.keys()});
  return out;
}

std::vector<TaskFile> task_files() {
  return {{"dtable", "Requirements of each service level on an arbitration table of the Deficit Table scheduler.",
           table_requirements_keys()},
          {"optweb cost", "Prices and parts of an OPTWEB network.", optweb_cost_keys()},
          {"check", "Programs of nodes, which configurations name with program_file and run.",
           program_file_section().info()},
          {"sweep", "A configuration run at many points, with several seeds.", sweep_keys()}};
}

}  // namespace weft

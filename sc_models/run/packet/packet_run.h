#pragma once
// Options and result of a run of a packet network.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cosim/packet/dtable_rtl.h"
#include "fabrics/packet/common/observer.h"
#include "observe/report.h"

namespace weft {

class IqNetwork;
class PacketNetwork;

struct PacketRunOptions {
  std::string waves;                            ///< FST file to write, empty: none
  std::function<bool()> interrupted;            ///< asked in every busy cycle; true ends the run with a partial report
  std::function<void(double)> progress;         ///< told now and then how much is done, 0..1
  std::optional<std::uint64_t> shuffle_seed;    ///< tests: serve modules in random order
  std::vector<PacketObserver*> observers;       ///< further observers
  DtableRtlMaker rtl_dtable = make_dtable_rtl;  ///< tests: another RTL copy
  std::function<void(PacketNetwork&)> prepare;  ///< tests: a look at the network before time begins, to put faults in
  std::function<void(IqNetwork&)> prepare_iq;   ///< the same for architecture iq
};

struct PacketRunResult {
  ReportData report;
  std::vector<Artifact> artifacts;  ///< to be written beside the report
  std::vector<std::string> files;   ///< written already: waves and their view
  std::string failure;              ///< what went wrong, empty when nothing did
  bool interrupted = false;
  std::uint64_t flit_hops = 0;            ///< flits sent by switch outputs
  std::uint64_t message_hops = 0;         ///< messages sent by them
  std::uint64_t message_allocations = 0;  ///< times the pool of messages grew
  Cycle cycles = 0;                       ///< cycle of the last event
};

}  // namespace weft

#pragma once
// Report of a run of an OPTWEB network: what each instruction took, start-up latencies and bandwidths of measured
// operations, curves over the size. Behind the two functions that fill it stands what they share: the lines of the
// report, each with its instruction, and the results of those that are measured.

#include <string>
#include <utility>
#include <vector>

#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_platform.h"
#include "run/optweb/optweb_run.h"

namespace weft {

/// Adds what was measured to the report, which has its header and its outcome, and pictures, from the rest of `result`.
void optweb_report(const OptwebPlatform& platform, const OptwebNetwork& network, const OptwebStats& stats,
                   OptwebRunResult& result);

/// Title, seed and implementations; then the section about the network: what is known before a run.
ReportData optweb_report_header(const OptwebPlatform& platform);

/// A row of the report beside the instruction it is about.
struct OptwebLine {
  const NodeProgram* program = nullptr;
  const ProgramInstruction* instruction = nullptr;
  const OptwebRow* row = nullptr;

  /// Nothing is said of an instruction that some nodes have not completed.
  bool has_data() const { return row->complete() && row->received.has_value(); }
  bool measured() const { return instruction->measured && row->complete(); }
  /// The row has all ends of the operation, not some, with the others in rows of other programs or instructions.
  bool holds_all_ends() const;
  /// One part per node: configuration and migration can be told apart.
  bool direct() const { return row->parts == row->nodes; }
  /// The last word has left after the last node has reached it.
  bool splits() const { return direct() && holds_all_ends() && row->sent && *row->sent >= row->started; }
  /// The latency is that of all the data.
  bool has_rate() const { return has_data() && holds_all_ends() && row->in_step(); }
};

std::vector<OptwebLine> optweb_lines(const OptwebConfig& config, const std::vector<OptwebRow>& rows);

/// Its data pass one link from node to node.
bool one_link(const OptwebConfig& config, const OptwebLine& line);

/// Results of `measure`: start-up latencies, bandwidths, and curves over the size.
class OptwebMeasured {
 public:
  OptwebMeasured(const OptwebConfig& config, const std::vector<OptwebLine>& lines);
  ReportSection startup() const;
  ReportSection bandwidth() const;
  Table curves() const;
  std::vector<Picture> pictures() const;

 private:
  const OptwebConfig& config_;
  std::vector<std::pair<std::string, std::vector<const OptwebLine*>>> by_name_;  // in the order of their sizes
};

}  // namespace weft

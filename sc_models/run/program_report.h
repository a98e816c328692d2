#pragma once
// The report of programs on a network of messages, whatever carries them.

#include <vector>

#include "algorithms/collectives/executor.h"
#include "observe/report.h"
#include "observe/services.h"

namespace weft {

/// A run of programs, as its report sees it.
struct ProgramRun {
  const std::vector<NodeProgram>& programs;
  const collectives::Executor& executor;
  Duration period;          ///< of the clock
  Cycle start = 0;          ///< programs began; times count from here
  Cycle end = 0;            ///< of the programs, or of the run so far
  ServiceFigures messages;  ///< load and latency of their messages
};

/// Section `run`.
ReportSection program_run(const ProgramRun& run);
/// Adds the link that carried most to the section `run`, from the table `links`, if there are both. `cycles`: of the
/// programs; of a table with phases, the words of all of them are taken over these.
void add_busiest_link(ReportData& report, Cycle cycles);
/// Tables `operations`, `nodes` and `instructions`.
std::vector<Table> program_tables(const ProgramRun& run);
/// The chart of its page: which node was in which instruction when.
void add_program_chart(const ProgramRun& run, ReportData& report);

/// The nodes of a network that run programs.
struct ProgramNodes {
  std::uint32_t nodes = 0;
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  Duration period;
};

/// Figures of the nodes and their programs, known before a run; `links`: what connects the nodes.
ReportSection program_section(const std::vector<NodeProgram>& programs, const ProgramNodes& nodes,
                              std::vector<Figure> links);

/// Fraction of the instructions that are completed.
double program_progress(const std::vector<NodeProgram>& programs, const collectives::Executor& executor);

}  // namespace weft

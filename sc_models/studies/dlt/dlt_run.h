#pragma once
// Answers of a divisible-load study sent over a simulated network, and why the network takes another time than the
// answer says, step by step:
//
//   finish          the answer's own finish time
//   one_interface   all shares leave the root over one interface, one after the other, instead of over all its links
//   whole_messages  a node computes a message once it is complete, not while it receives it
//   result_order    results come back as they are ready, instead of in the order of the nodes
//   flits           whole bytes, flits and cycles
//   software        overheads of nodes for the messages they send and receive
//   latency         of the network without other messages, as measured in it
//   network         what is left: headers of packets, slots of other circuits, contention behind the root's interface
//
// Each step adds one thing to the model before it (algorithms/dlt/star.h, star_cycles.h), the last one is the
// simulation; so the differences add up to that of the two times.

#include <string>
#include <vector>

#include "algorithms/dlt/star.h"
#include "algorithms/dlt/study.h"
#include "observe/report.h"
#include "studies/dlt/dlt_network.h"
#include "studies/dlt/dlt_report.h"

namespace weft {

struct DltNetworkAnswer {
  std::string key;  ///< in tables and names of files
  std::string meaning;
  dlt::StarShares shares;
  dlt::StarMessageSizes bytes;
  double finish = 0;  ///< ns, all of these: the answer's own
  double one_interface = 0;
  double whole_messages = 0;
  double result_order = 0;
  double flits = 0;
  double software = 0;
  double latency = 0;
  double simulated = 0;
  std::string programs;  ///< program file that was run
  std::vector<DltStep> steps;
};

struct DltNetworkStudy {
  DltNodes nodes;
  std::string title, family, topology;
  dlt::StarNetwork interface;
  double rate = 0;       ///< Gb/s
  double unit = 0;       ///< w*Tcp in ns
  double reference = 0;  ///< ns, of the injection point alone
  dlt::StarPlan best;    ///< for one interface
  std::vector<DltNetworkAnswer> answers;
};

/// Sends the shares of every answer over `config.run`. Throws InputError for a network that does not fit, RunError when
/// a simulation fails.
DltNetworkStudy run_dlt(const DltConfig& config, const ConfigDocument& document, const dlt::Study& study,
                        const Registry& registry);

/// Adds the section and the tables.
void add_dlt_run(const DltConfig& config, const dlt::Study& study, const DltNetworkStudy& run, ReportData& report);

/// Timing of every answer in the network.
std::vector<DltPicture> dlt_run_pictures(const dlt::Study& study, const DltNetworkStudy& run);

/// Program files of the answers, which any network with so many nodes can run.
std::vector<Artifact> dlt_program_files(const DltNetworkStudy& run);

}  // namespace weft

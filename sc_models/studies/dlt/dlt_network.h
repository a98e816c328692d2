#pragma once
// Simulated network that a divisible load is spread over: a configuration of any family whose nodes run programs, and
// the programs that send the shares, compute them and return results.
//
// The node with the load sends each share to its node as a message of the network, which routes it; it does not wait
// until one has left before it hands over the next, and computes meanwhile. The other nodes receive a message, compute
// it, and so on; results go back when everything is computed.

#include <memory>
#include <string>
#include <vector>

#include "algorithms/dlt/dlt_config.h"
#include "algorithms/dlt/star_cycles.h"
#include "base/ids.h"
#include "run/fabric_plan.h"
#include "run/registry.h"
#include "schema/document.h"

namespace weft {

/// Nodes that a load is spread over.
struct DltNodes {
  NodeId root = 0;
  std::vector<NodeId> others;  ///< in the order in which they are served
};

/// Instruction as it was executed.
struct DltStep {
  NodeId node = 0;
  std::string what;  ///< name in the program
  double start = 0;  ///< ns
  double completed = 0;
};

class DltNetwork {
 public:
  /// `document`: the load's, whose topology networks without a file have. Throws InputError at `run.where` for a
  /// network that does not have `nodes` nodes, or whose nodes do not send messages by themselves.
  DltNetwork(const DltRun& run, const ConfigDocument& document, std::uint32_t nodes, const Registry& registry);

  const std::string& title() const { return title_; }
  const std::string& family() const { return family_; }
  std::string topology() const { return topology_; }
  /// Clock, flits and overheads; no latencies.
  const dlt::StarNetwork& interface() const { return interface_; }
  double rate() const;  ///< Gb/s

  /// Measures the latencies between the root and the other nodes in the network without other messages.
  void measure_latencies(const DltNodes& nodes);

  /// Runs programs to their end and returns what was executed, node by node. Throws RunError.
  std::vector<DltStep> run(const std::string& programs) const;

 private:
  std::unique_ptr<Design> design(const std::string& programs) const;
  void avoid_deadlocks(const std::string& programs);

  const Registry& registry_;
  ConfigDocument document_;
  std::string file_;
  std::string title_, family_, topology_;
  std::uint32_t nodes_ = 0;
  dlt::StarNetwork interface_;
};

/// Names of instructions.
inline constexpr const char* kShareStep = "share";
inline constexpr const char* kComputeStep = "compute";
inline constexpr const char* kResultStep = "result";

/// Program file that spreads a load.
std::string dlt_programs(const DltNodes& nodes, std::uint32_t all, const dlt::StarMessageSizes& bytes,
                         const dlt::StarSpeeds& speeds);

}  // namespace weft

#pragma once
// Programs of nodes as a client of a fabric's endpoints: hands the messages of algorithms/collectives/executor.h over
// as transfers, and tells the executor when they have left and arrived.
//
// Timing. What happens in cycle t reaches the programs in cycle t + 1 at the earliest: a message has left in the cycle
// after its last flit, and has arrived in the cycle after the one in which its last flit arrives.

#include <functional>
#include <string>
#include <vector>

#include "algorithms/collectives/executor.h"
#include "base/random.h"
#include "kernel/clock_domain.h"
#include "kernel/endpoint.h"
#include "parallel/ranks.h"
#include "workload/program_agenda.h"

namespace weft {

/// Programs of a network, and what a message costs the processors of its nodes.
struct ProgramsConfig {
  Location where;                     ///< of what says how many nodes there are
  std::vector<NodeProgram> programs;  ///< none: the network has traffic instead
  std::uint32_t nodes = 0;
  std::uint32_t sl = 0;  ///< service of the messages
  Cycle send_overhead = 0;
  Cycle receive_overhead = 0;
  Cycle combine = 0;                                    ///< reductions: time to combine
  std::uint64_t combine_bits = 8;                       ///< so much
  const collectives::PhasedPrograms* phased = nullptr;  ///< collectives over circuits; null: messages
  collectives::CollectiveAlgorithms algorithms{};       ///< of collectives that become messages
};

/// The programs that this process runs.
struct ProgramsPart {
  std::vector<bool> here{};  ///< by node; empty: all
  Ranks* ranks = nullptr;    ///< that run the others; null: there are none
};

class ProgramClient final : public Client, public collectives::MessagePort {
 public:
  /// References must outlive the client. `over` is called in the cycle in which all programs are over and all their
  /// messages have arrived; of a part, once all ranks know of it.
  ProgramClient(const ProgramsConfig& config, std::uint64_t seed, Endpoints& endpoints, std::function<void(Cycle)> over,
                ProgramsPart part = {});

  /// Before one of the next two.
  void join(ClockDomain& domain) { agenda_.join(domain); }
  /// Puts the beginning of the programs on the agenda.
  void begin_at(Cycle at);
  void begin_now(Cycle now);
  Cycle began_at() const { return began_at_; }  ///< or will begin; -1: not known yet
  bool finished() const { return agenda_.finished(); }
  Cycle finished_at() const { return agenda_.finished_at(); }
  Cycle stuck_at() const { return agenda_.stuck_at(); }
  /// Of a part, at the end of the run: the executor becomes that of all parts.
  void collect() { agenda_.collect(); }
  const collectives::Executor& executor() const { return executor_; }

  void left(std::uint64_t tag, Cycle at) override { agenda_.left(static_cast<std::uint32_t>(tag), at); }
  void arrived(std::uint64_t tag, NodeId node, Cycle at) override;
  /// Throws RunError: some node would wait for the message for ever.
  void lost(std::uint64_t tag, NodeId node, Cycle at, std::string_view cause) override;
  std::uint64_t word(std::uint64_t tag) const override { return executor_.word(static_cast<std::uint32_t>(tag)); }
  void arrived_from_afar(const ForeignTransfer& transfer, Cycle at) override;

  void send(std::uint32_t message, NodeId source, NodeId destination, std::uint64_t bytes) override;
  void wake(NodeId node, Cycle at) override { agenda_.woken(node, at); }
  void multicast(std::uint32_t message, NodeId source, const std::vector<NodeId>& group, std::uint64_t bytes) override;
  void reach(NodeId node, std::uint32_t step) override;

 private:
  const ProgramsConfig& config_;
  Endpoints& endpoints_;
  const ClientId client_;
  collectives::Executor executor_;
  ProgramAgenda agenda_;
  Transfer transfer_of(std::uint32_t message, NodeId source, std::uint64_t bytes);

  std::vector<RandomStream> random_;  // per node
  std::vector<std::uint32_t> step_;   // per node, of phased programs
  Cycle began_at_ = -1;
};

}  // namespace weft

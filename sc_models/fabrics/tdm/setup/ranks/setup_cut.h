#pragma once
// Links of a network in which circuits come and go that lead from this rank to others: words, messages of the setup
// protocol and the state of failed links cross them.
//
// Windows. A message of the protocol arrives at another switch max(1, C) cycles after it was sent, C the latency of the
// link; a word that leaves in cycle t cannot leave the next switch before t + C + 1. So ranks exchange what they have
// decided once per max(1, C) cycles of the shortest cut link. That holds for a train that is cut short as well, though
// in one process all switches behind hear of it in the same cycle: news that crosses several cuts is one window older
// at each, and the words it is about are C + 1 cycles behind at each.
//
// Failures are known to all ranks beforehand. They exchange in the cycle before a failure or repair, so that all that
// was decided before is known, and in its own, since it cuts trains short that are on the wires. A link that has been
// repaired is usable once the circuits that crossed it have drained at both ends; while one of a cut link waits for
// that, ranks exchange in every cycle.
//
// Every few windows ranks ask each other when anything is left to happen. They skip the windows until then, or, when
// there is nothing any more, exchange no longer, so that the run ends.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/units.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/protocol.h"
#include "fabrics/tdm/setup/flow_words.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/ranks/setup_wire.h"
#include "kernel/clock_domain.h"
#include "network/graph.h"
#include "parallel/part.h"
#include "parallel/ranks.h"

namespace weft {

class SetupCut final : public Agent, public TdmObserver {
 public:
  /// State of the network that both ends of a cut share. References must outlive the object.
  struct Network {
    ClockDomain& domain;
    const Graph& graph;
    const Part& part;
    const FlowRoutes& routes;
    const SetupTiming& timing;
    LinkAvailability& links;
    CircuitRuns& runs;
  };
  /// `faults`: cycles in which links fail or are repaired, ascending, each once.
  SetupCut(const Network& network, std::vector<Cycle> faults);
  ~SetupCut() override;

  /// Both ends of a directed link, one of which is null: elsewhere. An adapter adds `delay` cycles to words.
  void lead(LinkId link, TdmOutPort* from, TdmInPort* to, Cycle delay);
  /// Of the control channel beside it.
  void lead_control(LinkId link, SetupOutPort* from, SetupInPort* to);
  /// Before time begins, after all links.
  void start();

  /// A run begins here.
  void begin_run(MessageId id, std::uint32_t flow, const CircuitRun& run);

  bool wants_hops() const override { return true; }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void due(Cycle now, std::uint32_t token) override;

 private:
  class Neighbour;
  struct WordsOut;
  struct MessagesOut;
  /// What is known of a run whose words may still cross to another rank.
  struct Known {
    RemoteRun run;
    Cycle until = 0;  // the last cycle in which a word of it may be at a switch that is known of
  };

  Neighbour& neighbour(LinkId link, bool leads_out);
  void keep_until(Known& known, const Train& train);
  void forget_old(Cycle now);
  void exchange(Cycle now);
  void take(Cycle now, Neighbour& from);
  void tell_drains();
  Cycle next_exchange(Cycle now);
  Cycle next_fault(Cycle now) const;
  std::uint64_t waiting_links() const;

  const Network net_;
  const std::vector<Cycle> faults_;
  Cycle window_;
  std::vector<std::unique_ptr<Neighbour>> neighbours_;
  std::vector<std::unique_ptr<WordsOut>> words_out_;
  std::vector<std::unique_ptr<MessagesOut>> messages_out_;
  std::unordered_map<LinkId, std::unique_ptr<TdmOutPort>> words_in_;       // by link that leads here
  std::unordered_map<LinkId, std::unique_ptr<SetupOutPort>> messages_in_;  // likewise
  std::unordered_map<MessageId, Known> known_;
  std::size_t known_limit_ = 1024;  // tidy up when there are more
  Cycle stays_;                     // cycles in which a word may be between two switches or wait in one, at most
  bool draining_ = false;           // some rank has a link that waits for circuits to drain
  std::uint32_t windows_ = 0;       // since ranks asked when anything is left to happen
};

}  // namespace weft

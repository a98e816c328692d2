#pragma once
// Management processor of a FiC network: puts the circuits of each phase in place, one phase after the other.
//
// Phases come in a given order, some of them several times; without one, each comes once.
//
// A phase ends when its traffic has been delivered. Then the slots of its circuits are released, those of the next
// phase reserved, one slot LUT request every `processing` cycles (mode `central`), and all switches change over to the
// tables they have been given meanwhile: writing the shadow table takes S * t_c (FiC paper, section II.B) and goes on
// during the previous phase; the change-over happens everywhere at the first frame boundary after both are done. Mode
// `preset` asks the slot LUTs the same questions in no simulated time, and the first tables are there at cycle 0.
//
// In a bundle of links a query asks the slot LUT row of each link, one after the other; the vector passed along is the
// OR of the answers. Slots are reserved and released with a request for each link that has some.
//
// Of several ranks each has a controller, and all do the same: each keeps the slot LUTs of all switches, and the tables
// of its own. Whether a phase has ended they ask each other in the last cycle of each frame, so before the first
// change-over that could follow. What the controller would have done meanwhile is made up for: it takes effect at that
// change-over, no matter how many ranks there are.
//
// Every request's answer is checked against the plan: a slot that the LUTs do not hold free stops the run.

#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/slots/circuit_plan.h"
#include "algorithms/slots/slot_lut.h"
#include "fabrics/tdm/keys/tdm_config.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/tdm_host.h"
#include "fabrics/tdm/tdm_switch.h"
#include "kernel/clock_domain.h"
#include "parallel/ranks.h"

namespace weft {

/// -1: not reached.
struct PhaseTimes {
  Cycle setup_start = -1;          ///< first slot LUT request, or the phase's beginning
  Cycle setup_end = -1;            ///< all slots reserved
  Cycle tables_ready = -1;         ///< shadow tables written in every switch; may lie ahead
  Cycle data_start = -1;           ///< tables in force, sources may send
  Cycle data_end = -1;             ///< last message delivered
  std::uint64_t lut_requests = 0;  ///< made so far
};

class TdmController : public sc_core::sc_module, public Agent {
 public:
  struct Network {
    ClockDomain& domain;
    const Graph& graph;
    const Observers& observers;
    const MessageStore& messages;
    std::vector<TdmSwitch*> switches;  // null: on another rank
    std::vector<TdmHost*> hosts;       // likewise
    Ranks* ranks = nullptr;            // null: this process has the whole network
    std::function<void()> exchange;    // of what ranks have decided
  };
  /// `order`: of the phases, by number; empty: each once.
  TdmController(sc_core::sc_module_name name, const TdmConfig& config, Network network,
                const std::vector<PhasePlan>& phases, std::vector<std::uint32_t> order);

  /// By place in the order.
  const std::vector<PhaseTimes>& times() const { return times_; }
  /// No circuits are in place: those of a phase are over, those of the next one not yet there.
  bool changing() const { return !sending_ && !finished_; }
  bool finished() const { return finished_; }
  /// A circuit of the present phase has no more messages to send.
  void circuit_finished();
  /// No message is under way any more.
  void drained();
  /// Of a part: one has arrived at a destination.
  void message_delivered() { last_event_ = net_.domain.now(); }
  /// Calls `finished` when the last phase is over; of a part, once all ranks know. Parts whose phases end for them
  /// alone have none.
  void when_finished(std::function<void()> finished) { when_finished_ = std::move(finished); }
  void due(Cycle now, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kBegin, kRequest, kGo, kEndPhase, kAskAll };
  // One slot LUT request: a link of an edge of a circuit of the phase that ends (release) or begins (query, reserve).
  struct Step {
    SlotLutOp op = SlotLutOp::query;
    bool fresh = false;   // query: the vector passed along starts with all slots
    bool choose = false;  // query: last one before the slots are chosen
    std::uint32_t flow = 0;
    std::uint32_t tree = 0;
    std::uint32_t edge = 0;
    LinkId link = kNoId;
    bool more = false;  // query: other links of the bundle follow
  };

  void start_of_simulation() override;
  void begin_phase(Cycle now);
  void list_steps();
  void list_edge(SlotLutOp op, std::size_t place, std::uint32_t flow, std::uint32_t tree, std::uint32_t edge);
  SlotSet lanes_on(const Step& step, const PhasePlan& phase) const;
  void request(Cycle now, const Step& step);
  void plan_request(Cycle at);
  void request_next(Cycle now);
  SlotLutIf& slot_lut(SwitchId sw);
  std::string name_of(SwitchId sw) const;
  void check_choice(const Step& step, const std::vector<Slot>& chosen) const;
  void change_over(Cycle now);
  void go(Cycle now);
  void maybe_end();
  void end_phase(Cycle last);
  void ask_all(Cycle now);
  void load_tables(Cycle now, std::size_t place);
  HostTables host_tables(const TdmHost& host, std::size_t place) const;
  const PhasePlan& plan(std::size_t place) const { return phases_[order_[place]]; }

  Network net_;
  const std::vector<PhasePlan>& phases_;
  std::vector<std::uint32_t> order_;
  SetupMode mode_;
  Cycle processing_;
  Cycle column_cycles_;
  std::uint32_t slots_;
  bool slot_update_;
  std::vector<TdmHost*> table_hosts_;  // those whose interface reads tables
  std::vector<PhaseTimes> times_;
  std::size_t place_ = 0;  // in the order
  std::size_t open_circuits_ = 0;
  bool sending_ = false;  // the phase's circuits are in place
  bool finished_ = false;
  std::vector<Step> steps_;
  std::size_t next_step_ = 0;
  SlotSet vector_;  // slots free on every link or bundle asked so far
  SlotSet bundle_;  // of those, free on a link of the present bundle asked so far
  std::function<void()> when_finished_;
  // Of a part.
  std::vector<std::unique_ptr<SlotLut>> luts_elsewhere_;  // by switch
  Cycle last_event_ = -1;                                 // that could have ended the phase here
};

}  // namespace weft

#pragma once
// Circuits through one switch as it knows them, and its reaction to each message of the setup protocol: plain
// C++; the module SetupUnit gives it time and sockets. Source: FiC paper, sections II.A and III.D.
//
// A request carries the vector of slots that are free on every link so far. The first switch ANDs it with its rows for
// the host's input and for the output, chooses the m lowest slots of the result and reserves them; every further switch
// ANDs the vector with its own row and reserves those same slots, or refuses. So the slots are known to the source with
// the first ACK, a slot is reserved before anybody is told of it, and nothing is reserved that is not used: there is no
// moment in which two circuits hold a slot. A refusal carries the vector back, so that the source's next try on this
// way can begin with slots that were free everywhere so far.
//
// A circuit to several destinations is a tree. Where it forks, a switch asks the rows of all its outputs, reserves the
// slots in all of them or in none, and sends the request on along each branch; what the branches answer is merged by
// BranchAnswers. Between the refusal of one branch and the end of the others everything from the source to the fork
// stays reserved.
//
// Slots that are given up are free again one frame after their table entries are out of force, here and, as the message
// that frees them on its way to the source says, at every switch behind: otherwise words of the next circuit, ahead of
// a request that will be refused, would follow an old entry to somebody else's host. At the first switch the host must
// have heard of a teardown as well: its register may hold the host's last word for that frame, and an entry of the
// next circuit must not send it. Further on the frame is a margin.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "algorithms/slots/slot_lut.h"
#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/branch_answers.h"
#include "fabrics/tdm/setup/link_availability.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/table_writer.h"

namespace weft {

/// Message that leaves a switch, and its port.
struct SetupSend {
  PortId port = kNoPort;
  SetupMessage message;
};

class SwitchCircuits {
 public:
  using OnLut = std::function<void(const SetupEvent&)>;
  SwitchCircuits(const Graph& graph, SwitchId sw, SlotLutIf& lut, const SetupTiming& timing, LinkAvailability& links,
                 OnLut on_lut);

  /// Whether a message takes the switch's processing time; others pass at once.
  static bool is_processed(SetupMessage::Kind kind) {
    using Kind = SetupMessage::Kind;
    return kind == Kind::request || kind == Kind::withdraw || kind == Kind::released || kind == Kind::teardown;
  }
  /// Does what `message`, which came in through `from`, asks for in cycle `now`; what is to be sent is appended.
  void handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out);
  /// Gives up every circuit that crosses a failed link, by failure `fault` of the plan, and appends the flows they
  /// belong to. The messages that tell its neighbours still take processing: told() when such a message is sent.
  void drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out, std::vector<std::uint32_t>& flows);
  /// A message that drop_failed() gave is sent in cycle `now`. Until all of a circuit have been, its slots are kept:
  /// the host may be sending, and a request for them must not come to the next switch before the teardown.
  void told(Cycle now, const CircuitKey& key);
  /// Frees the slots whose time has come.
  void free_due(Cycle now);
  /// Cycle of the next free_due() with an effect, -1: none.
  Cycle next_free() const { return draining_.empty() ? -1 : draining_.begin()->first; }

  TableWriter& tables() { return tables_; }
  bool idle() const { return records_.empty() && draining_.empty() && untold_.empty(); }
  /// Slots held for a circuit here, null if none.
  const SlotSet* held(const CircuitKey& key) const;
  std::size_t circuits() const { return records_.size(); }
  /// Compares slot LUT and table with the circuits known; empty if they agree.
  std::string inconsistency();

 private:
  struct Record {
    std::shared_ptr<const CircuitRoute> route;
    std::uint32_t hop = 0;
    SlotSet slots;
    BranchAnswers answers;
    const RouteHop& place() const { return route->hops[hop]; }
  };
  struct Draining {
    std::vector<std::uint32_t> rows;
    SlotSet slots;
    std::vector<LinkId> links;  // failed ones that wait for it
    std::uint32_t flow = 0;
    Cycle out_of_force = 0;
  };
  struct Untold {  // lost to a failure, the neighbours do not know it yet
    Draining draining;
    LinkId source = kNoId;     // as drain()
    std::size_t messages = 0;  // still to be sent
  };
  using Records = std::map<CircuitKey, Record>;

  void request(Cycle now, const SetupMessage& message, std::vector<SetupSend>& out);
  /// `out_port`: what the cause is about.
  void refuse(const SetupMessage& message, TeardownCause cause, PortId out_port, const SlotSet& common, Cycle late_by,
              std::vector<SetupSend>& out) const;
  void from_source(Cycle now, const SetupMessage& message, Record& record, std::vector<SetupSend>& out);
  void from_branch(Cycle now, std::size_t branch, const SetupMessage& message, Record& record,
                   std::vector<SetupSend>& out);
  void branch_ended(Cycle now, std::size_t branch, const SetupMessage& message, Record& record,
                    std::vector<SetupSend>& out);
  void withdraw(Cycle now, const SetupMessage& message, Record& record, std::vector<SetupSend>& out);
  Cycle unhindered_start(Cycle now, const SetupMessage& message, std::size_t columns) const;
  /// Returns when the entries are out of force here and, `cleared`, further on.
  Cycle remove(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared = 0);
  Draining clear(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared);
  void drain(Cycle now, LinkId source, Draining draining);
  /// Link of the host at the first switch of a circuit, kNoId at the others.
  static LinkId source_link(const Record& record) { return record.hop == 0 ? record.place().link : kNoId; }
  std::vector<std::uint32_t> rows_of(const Record& record) const;
  SlotLutResponse ask(Cycle now, SlotLutOp op, std::uint32_t row, const SlotSet& slots, std::uint32_t flow);

  const Graph& graph_;
  SwitchId sw_;
  SlotLutIf& lut_;
  SetupTiming timing_;
  LinkAvailability& links_;
  OnLut on_lut_;
  TableWriter tables_;
  Records records_;
  std::multimap<Cycle, Draining> draining_;
  std::map<CircuitKey, Untold> untold_;
};

}  // namespace weft

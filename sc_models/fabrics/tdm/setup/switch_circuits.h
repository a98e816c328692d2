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
// With slot_update each switch chooses slots of its own, from its rows alone (slot_choice.h), and reserves them; the
// request carries when the words of each slot leave, and a refusal nothing: another try takes another route.
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

#include <map>
#include <vector>

#include "fabrics/tdm/setup/branch_answers.h"
#include "fabrics/tdm/setup/message.h"
#include "fabrics/tdm/setup/switch_access.h"

namespace weft {

class SwitchCircuits final : public SwitchCircuitsIf {
 public:
  /// `access` must outlive it.
  SwitchCircuits(const SetupSite& site, SwitchAccess& access);

  void handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) override;
  void drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                   std::vector<std::uint32_t>& flows) override;
  void told(Cycle now, const CircuitKey& key) override;
  void free_due(Cycle now) override;
  Cycle next_free() const override { return draining_.empty() ? -1 : draining_.begin()->first; }
  std::vector<CircuitHolding> holdings() override;

 private:
  struct Record {
    RouteHop place;  // branches by ascending output
    SlotSet slots;
    BranchAnswers answers;
    std::vector<Slot> from = {};  // as CircuitHolding
    bool first() const { return place.parent == kNoHop; }
  };
  struct Draining {
    CircuitHolding what;
    std::vector<PortId> failed;  // ports whose links wait for it
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
  /// Returns when the entries are out of force here and, `cleared`, further on.
  Cycle remove(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared = 0);
  Draining clear(Cycle now, const CircuitKey& key, Record& record, const SlotSet& slots, Cycle cleared);
  void drain(Cycle now, LinkId source, Draining draining);
  /// Link of the host at the first switch of a circuit, kNoId at the others.
  static LinkId source_link(const Record& record) { return record.first() ? record.place.link : kNoId; }
  struct Fit {            // slots for a request
    bool slots = false;   // there are enough
    SlotSet common;       // free on every link so far
    SlotSet of_source;    // for the ACK
    Cycle departure = 0;  // from the host's slot to the departure here, at least
    std::vector<SetupMessage::Lane> lanes = {};
  };
  /// Slots of a request, which `record` gets: those that are free on every link so far, or the switch's own.
  Fit same_slots(Cycle now, const SetupMessage& message, Record& record);
  Fit own_slots(Cycle now, const SetupMessage& message, Record& record);
  CircuitHolding holding_of(const CircuitKey& key, const Record& record, const SlotSet& slots, bool in_table) const;
  std::vector<std::uint32_t> rows_of(const CircuitHolding& holding) const;
  SlotSet slots_of_row(const CircuitHolding& holding, std::uint32_t row) const;

  const SetupSite site_;
  SwitchAccess& access_;
  Records records_;
  std::multimap<Cycle, Draining> draining_;
  std::map<CircuitKey, Untold> untold_;
};

}  // namespace weft

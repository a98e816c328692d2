#pragma once
// Accounts of the words sent on circuits that come and go: one per circuit, from its first request on.
//
// Five parties count without knowing of each other: the source what it sends, each switch what leaves it towards a
// host, each failing link what it takes with it and keeps from leaving, every host what comes to it by mistake, the
// destination what it was waiting for. What does not agree at the end is a word that was lost or made without anybody
// having said so, and every word that was sent on a circuit which stayed up must have come to its destination. check()
// holds all of this.
//
// A word that did not come to a destination counts for the failure whose link took it, whatever became of its circuit;
// else for the failure that took the circuit; else it was behind a refused request.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fabrics/tdm/observer.h"
#include "fabrics/tdm/setup/circuit_route.h"
#include "network/graph.h"

namespace weft {

inline constexpr std::uint32_t kNoFault = ~std::uint32_t{0};

struct WordAccount {
  enum class Outcome : std::uint8_t { up, refused, lost };
  /// Of one destination.
  struct End {
    std::uint64_t left = 0;          ///< from a switch towards its host
    std::uint64_t lost_inside = 0;   ///< on a link between switches that failed, or on the one to the first switch
    std::uint64_t lost_outside = 0;  ///< on the link to its host
    std::uint64_t stopped = 0;       ///< in a switch, at an output whose link was down
    std::uint64_t arrived = 0;
    std::uint64_t taken = 0;  ///< of these: new, and in order
  };
  /// Words to all destinations that one failed link took or stopped.
  struct FaultLoss {
    std::uint32_t fault = kNoFault;
    std::uint64_t on_links = 0;  ///< End::lost_inside and lost_outside
    std::uint64_t stopped = 0;
  };

  std::uint32_t flow = 0;
  std::uint32_t number = 0;  ///< of the circuit's first request
  std::shared_ptr<const CircuitRoute> route;
  Outcome outcome = Outcome::up;
  std::uint32_t fault = kNoFault;       ///< lost: the failure
  std::uint64_t sent = 0;               ///< by the source
  std::vector<End> ends;                ///< per destination; a word is on its way to all of them
  std::vector<FaultLoss> fault_losses;  ///< one per failure
  // Copies led astray by entries of another circuit, beside what becomes of a word on its own way.
  std::uint64_t astray_left = 0;  ///< from a switch towards a host they were not sent to
  std::uint64_t astray_lost = 0;  ///< on the link to it
  std::uint64_t astray = 0;       ///< at such a host

  /// Did not come to destination `end`: refused and lost ones.
  std::uint64_t discarded(std::size_t end) const {
    return sent > ends[end].arrived ? sent - ends[end].arrived : 0;  // check() tells when more arrive than were sent
  }
  /// Behind a refused request, and no failure took them.
  std::uint64_t refused(std::size_t end) const { return outcome == Outcome::refused ? elsewhere(end) : 0; }
  /// Taken by a failed link, or sent on a circuit that a failure took.
  std::uint64_t lost(std::size_t end) const { return discarded(end) - refused(end); }
  /// Discarded otherwise than by a failed link, over all destinations: in a switch that had no table entry for them, or
  /// another circuit's that led nowhere or astray.
  std::uint64_t elsewhere() const;
  std::uint64_t dropped() const;
  FaultLoss& fault_loss(std::uint32_t by);
  /// Adds what another rank has counted of the same circuit.
  void add(const WordAccount& other);

 private:
  std::uint64_t elsewhere(std::size_t end) const;
};

class WordLedger final : public TdmObserver {
 public:
  explicit WordLedger(const Graph& graph) : graph_(graph) {}

  std::uint32_t open(std::uint32_t flow, std::uint32_t number, std::shared_ptr<const CircuitRoute> route);
  WordAccount& at(std::uint32_t account) { return accounts_[account]; }
  /// The account of a circuit whose source is on another rank; opened when it is first asked for.
  std::uint32_t of_circuit(std::uint32_t flow, std::uint32_t number, const std::shared_ptr<const CircuitRoute>& route);
  /// The words of run `run` belong to the account.
  void begin_run(MessageId run, std::uint32_t account);
  bool known(MessageId run) const { return run < account_of_.size() && account_of_[run] != kNoAccount; }
  WordAccount& of(MessageId run) { return accounts_[account_of_[run]]; }
  const WordAccount& of(MessageId run) const { return accounts_[account_of_[run]]; }
  /// Words under way behind output `out` when failure `fault` took its link.
  void lost_on_link(SwitchId sw, PortId out, MessageId run, std::uint32_t fault, std::uint32_t words);
  /// Words under way to the first switch then.
  void lost_before_switch(MessageId run, std::uint32_t fault, std::uint32_t words);
  /// Words that were to leave through output `out` while `fault` had its link down; less than 0: not as many as said.
  void stopped(SwitchId sw, PortId out, MessageId run, std::uint32_t fault, std::int64_t words);
  const std::vector<WordAccount>& accounts() const { return accounts_; }
  /// Those of all ranks, at the end of the run.
  void set_accounts(std::vector<WordAccount> accounts) { accounts_ = std::move(accounts); }

  /// When nothing is under way; empty: all is well. `failures`: something was to fail in this run. `name`: of a flow.
  std::string check(bool failures, const std::function<std::string(std::uint32_t flow)>& name) const;

  bool wants_hops() const override { return true; }
  void on_hop(SwitchId sw, PortId out, const Train& train) override;
  void on_hop_cut(SwitchId sw, PortId out, const TrainCut& cut) override;

 private:
  static constexpr std::uint32_t kNoAccount = ~std::uint32_t{0};
  /// Count of words that leave for the host behind this output; null between switches.
  std::uint64_t* left_for(SwitchId sw, PortId out, MessageId run);
  /// Destinations of the account, by index, behind this output.
  std::vector<std::size_t> ends_behind(SwitchId sw, PortId out, const WordAccount& account) const;

  const Graph& graph_;
  std::vector<WordAccount> accounts_;
  std::vector<std::uint32_t> account_of_;                                       // by run
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> of_others_;  // by flow and number: of other ranks
};

}  // namespace weft

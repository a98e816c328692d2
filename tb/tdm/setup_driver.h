#pragma once
// Stimulus and reference of the setup_unit bench: random messages of the protocol, failures and repairs, and what the
// model SwitchCircuits does about each, as a list of accesses and messages, and for how many cycles the unit is busy.

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/random.h"
#include "fabrics/tdm/setup/switch_circuits.h"
#include "tdm/setup_world.h"

namespace weft::pins {

/// One command for the unit, and what it must do.
struct SetupStep {
  enum class Op : std::uint8_t { message = 0, failure = 1, told = 2, free = 3 } op = Op::message;
  Cycle now = 0;
  PortId from = 0;
  SetupMessage message;  ///< told: with the key only; failure: with the number of the fault
  std::deque<SetupEvent> events;
  bool withdraws = false;    ///< the first that has the branches of a circuit withdrawn
  std::uint32_t cycles = 0;  ///< that the unit is busy, by the formulas of docs/fic_setup.md
  Cycle next_free = -1;      ///< afterwards
};

class SetupDriver {
 public:
  /// Every second seed has slots of each switch's own. `only_releases`: nothing is torn down and nothing fails, so that
  /// the table of open releases fills.
  SetupDriver(const SetupShape& shape, std::uint64_t seed, bool only_releases = false);
  SetupStep next();

  const SetupSite& site() const { return site_; }
  const SetupWorld& world() const { return world_; }
  std::vector<CircuitHolding> holdings() { return model_.holdings(); }
  /// Steps so far by what came of them, to show that none is missing.
  struct Counts {
    std::uint64_t accepted = 0, refused_down = 0, refused_slots = 0, refused_late = 0, answered = 0, withdrawn = 0,
                  released = 0, failures = 0, lost = 0, freed = 0, unknown = 0, passed_over = 0;
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Release {
    SlotSet slots;
    std::uint32_t confirmed = 0;
  };
  struct Live {
    CircuitKey key;
    PortId in = 0;
    std::uint32_t outs = 0;
    std::uint32_t hosts = 0;
    SlotSet slots;
    std::uint32_t accepted = 0;
    std::uint32_t ended = 0;
    bool withdrawing = false;
    std::vector<Release> releases;
  };

  SetupStep request();
  SetupStep about(Live& live);
  SetupStep stray();
  SetupStep links();
  void run(SetupStep& step);
  void count(const SetupStep& step, const std::vector<SetupSend>& sends);
  void give_lanes(SetupMessage& request);
  std::uint32_t request_cycles(const SetupStep& step, const SetupMessage& answer);
  std::uint32_t message_cycles(const SetupStep& step, bool known, const std::vector<SetupSend>& sends) const;
  std::uint32_t failure_cycles(std::size_t lost, const std::vector<SetupSend>& sends) const;
  void look();
  SlotSet random_slots(std::uint32_t one_of);
  bool has_room();
  std::uint32_t random_bit(std::uint32_t mask);
  SetupMessage teardown(const CircuitKey& key);

  SetupShape shape_;
  RandomStream random_;
  bool only_releases_;
  bool patient_;  ///< circuits stay, and many releases are open
  std::vector<Cycle> adapters_;
  SetupSite site_;
  SetupWorld world_;
  SwitchCircuits model_;
  Cycle now_ = 0;
  Cycle latest_ = 0;  ///< time stands still then: the pins have no later ones
  std::uint32_t number_ = 0;
  std::vector<Live> live_;
  std::deque<SetupStep> untold_;
  Counts counts_;
};

}  // namespace weft::pins

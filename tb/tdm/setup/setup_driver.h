#pragma once
// Stimulus and reference of the setup_unit bench: random messages of the protocol, failures and repairs, and what the
// model SwitchCircuits does about each, as a list of accesses and messages, and for how many cycles the unit is busy.

#include <cstdint>
#include <deque>
#include <vector>

#include "base/random.h"
#include "fabrics/tdm/setup/switch_circuits.h"
#include "tdm/setup/setup_step.h"
#include "tdm/setup/setup_world.h"

namespace weft::pins {

class SetupDriver {
 public:
  /// Every second seed has slots of each switch's own. `only_releases`: nothing is torn down and nothing fails, so that
  /// the table of open releases fills.
  SetupDriver(const SetupShape& shape, std::uint64_t seed, bool only_releases = false);
  SetupStep next();

  const SetupSite& site() const { return site_; }
  const SetupWorld& world() const { return world_; }
  /// For commands that do not come from next().
  void set_links(std::uint32_t usable, std::uint32_t failed) { world_.set_links(usable, failed); }
  std::vector<CircuitHolding> holdings() { return model_.holdings(); }
  /// Steps so far by what came of them, to show that none is missing.
  const SetupCounts& counts() const { return counts_; }

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
  void give_lanes(SetupMessage& request);
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
  SetupCounts counts_;
};

}  // namespace weft::pins

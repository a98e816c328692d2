#pragma once
// Setup units that have the RTL inside, alone or beside the model. In lockstep the model works first; the RTL must make
// the same accesses to slot LUT, slot table and links in the same order, get the same answers, and send the same
// messages.

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/tdm/setup_rtl.h"
#include "fabrics/tdm/setup/setup_blocks.h"
#include "fabrics/tdm/setup/switch_circuits.h"

namespace weft {

/// The RTL works on the messages.
class RtlCircuits final : public SwitchCircuitsIf {
 public:
  /// `access` must outlive it.
  RtlCircuits(const BlockSite& site, const SetupSite& setup, SwitchAccess& access, std::unique_ptr<SetupUnitRtl> core);

  void handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) override;
  void drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                   std::vector<std::uint32_t>& flows) override;
  void told(Cycle now, const CircuitKey& key) override;
  void free_due(Cycle now) override;
  Cycle next_free() const override { return core_->next_free(); }
  std::vector<CircuitHolding> holdings() override;

 private:
  /// About a refusal or a failure: passes through the block as a number.
  struct Info {
    SwitchId at = kNoId;
    std::uint32_t fault = 0;
    Cycle failed_at = -1;
    bool operator==(const Info&) const = default;
  };
  class Surroundings;

  SetupCommand command(SetupCommand::Op op, Cycle now) const;
  SetupPins pins_of(const SetupMessage& message);
  SetupMessage message_of(const SetupPins& pins, PortId port, const SetupMessage& incoming) const;
  std::vector<SetupMessage::Lane> lanes_of(const SetupPins& pins) const;
  std::uint32_t number_of(const Info& info);
  void run(const SetupCommand& command, const SetupMessage& incoming, std::vector<SetupSend>& out,
           std::vector<std::uint32_t>& flows);

  const BlockSite site_;
  const SetupSite setup_;
  SwitchAccess& access_;
  std::unique_ptr<SetupUnitRtl> core_;
  std::vector<Info> infos_;
  /// With slot_update, of the circuits in the slot table or draining: as CircuitHolding. The block has told them to the
  /// table, and does not keep them.
  std::map<CircuitKey, std::vector<Slot>> from_;
};

/// The model drives the network, the RTL must do the same.
class LockstepCircuits final : public SwitchCircuitsIf {
 public:
  LockstepCircuits(const BlockSite& site, const SetupSite& setup, SwitchAccess& access,
                   std::unique_ptr<SetupUnitRtl> core, LockstepCount& count);
  ~LockstepCircuits() override;

  void handle(Cycle now, PortId from, const SetupMessage& message, std::vector<SetupSend>& out) override;
  void drop_failed(Cycle now, std::uint32_t fault, std::vector<SetupSend>& out,
                   std::vector<std::uint32_t>& flows) override;
  void told(Cycle now, const CircuitKey& key) override;
  void free_due(Cycle now) override;
  Cycle next_free() const override { return model_.next_free(); }
  std::vector<CircuitHolding> holdings() override;

 private:
  /// One access of the model, as text, and its answer.
  struct Access {
    std::string text;
    SlotLutResponse lut;
    Cycle cycle = 0;
  };
  class Recorder;
  class Player;
  template <class Work>
  void both(Cycle now, const std::string& what, std::vector<SetupSend>& out, std::vector<std::uint32_t>& flows,
            Work&& work);
  [[noreturn]] void differ(Cycle now, const std::string& what, const std::string& model, const std::string& rtl) const;

  const BlockSite site_;
  std::deque<Access> accesses_;  // of the model, not made by the RTL yet
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<Player> player_;
  SwitchCircuits model_;
  RtlCircuits rtl_;
  LockstepCount& count_;
};

}  // namespace weft

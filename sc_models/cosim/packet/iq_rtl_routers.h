#pragma once
// Routers of input-queued networks with rtl/packet/iq_router.sv inside, alone or beside the model. They behave as
// IqRouter; timing: docs/iq_router.md.
//
// A router whose RTL holds nothing, and to which nothing comes, sleeps: its registers stay as they are. That is so for
// Weft's own RTL once its stages have emptied, and blocks of users must keep to it (docs/howto/rtl.md).

#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "cosim/common/lockstep_counts.h"
#include "cosim/packet/iq_rtl_driver.h"
#include "fabrics/packet/iq/iq_router.h"
#include "fabrics/packet/iq/iq_router_module.h"

namespace weft {

/// Clock of the RTL.
class IqRtlModule : public IqRouterModule, public Agent {
 public:
  RtlBlock& block() { return driver_.block(); }
  const IqRouterRtlSize& size() const { return driver_.size(); }
  void due(Cycle now, std::uint32_t token) override;

 protected:
  /// `phase`: in which the RTL acts.
  IqRtlModule(const sc_core::sc_module_name& name, const IqRouterPlace& place, std::unique_ptr<IqRouterRtl> rtl,
              const IqRouterRtlSize& size, Phase phase);
  /// A cycle of the RTL: evaluate() and what follows from it.
  virtual void serve(Cycle now) = 0;
  /// The RTL acts in that cycle.
  void wake(Cycle at);
  std::string time() const;

  ClockDomain& domain_;
  IqRtlDriver driver_;

 private:
  const Phase phase_;
  std::optional<Cycle> next_;  // the next cycle in which it acts
  Cycle served_ = -1;
};

/// The RTL drives the links.
class RtlIqRouter final : public IqRtlModule {
 public:
  RtlIqRouter(const sc_core::sc_module_name& name, const IqRouterPlace& place, std::unique_ptr<IqRouterRtl> rtl,
              const IqRouterRtlSize& size);

  std::vector<Waiting> waiting() const override;
  std::string leftovers() const override;
  std::string waits_for(PortId out, std::uint32_t vc) const override;
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const override { return driver_.flit_coming(in, at); }
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const override {
    return driver_.credit_coming(out, at);
  }
  std::uint32_t queued(PortId in, std::uint32_t vc) const override { return driver_.queued(in, vc); }
  std::uint64_t flits() const override;
  std::uint32_t credits(PortId out, std::uint32_t vc) const override;
  std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const override;
  std::uint32_t spent(PortId out, std::uint32_t vc, const IqCore::Accounts&) const override {
    return outputs_[index(out, vc)].spent;
  }
  std::uint32_t held(PortId in, std::uint32_t vc, const IqCore::Accounts&) const override {
    return held_[index(in, vc)];
  }
  std::uint64_t sent(PortId out) const override { return sent_[out]; }
  Cycle sending_time() const override { return driver_.flit_time() - parameters_.link; }
  std::uint64_t grants() const override { return std::accumulate(sent_.begin(), sent_.end(), std::uint64_t{0}); }
  bool quiet() const override { return driver_.quiet(); }

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;

 private:
  /// Output VC, as its pins let it know.
  struct Output {
    std::uint32_t spent = 0;                    ///< credits given away and not on their way back
    std::uint32_t coming = 0;                   ///< credits on their way back
    std::uint32_t packet = IqRtlDriver::kNone;  ///< that is leaving
  };
  void serve(Cycle now) override;
  void send(PortId out, const IqRouterOutputs::Flit& flit, Cycle now);
  [[noreturn]] void wrong(const std::string& text) const;
  std::size_t index(PortId port, std::uint32_t vc) const {
    return static_cast<std::size_t>(port) * parameters_.vcs + vc;
  }

  const SwitchSite site_;
  const IqParameters parameters_;
  const PacketObservers& observers_;
  std::vector<Output> outputs_;
  std::vector<std::uint32_t> held_;  // [input, VC]: flits whose credits have not left
  std::vector<std::uint64_t> sent_;  // per output
};

/// The model drives the links; the RTL gets the same inputs and must show the same outputs in every cycle. The first
/// difference throws RunError with place, time, inputs and both outputs.
class LockstepIqRouter final : public IqRtlModule {
 public:
  LockstepIqRouter(const sc_core::sc_module_name& name, const IqRouterPlace& place, std::unique_ptr<IqRouterRtl> rtl,
                   const IqRouterRtlSize& size, LockstepCount& count);
  ~LockstepIqRouter() override;

  std::vector<Waiting> waiting() const override { return model_->waiting(); }
  std::string leftovers() const override { return model_->leftovers(); }
  std::string waits_for(PortId out, std::uint32_t vc) const override { return model_->waits_for(out, vc); }
  std::optional<std::uint32_t> flit_coming(PortId in, Cycle at) const override { return model_->flit_coming(in, at); }
  std::optional<std::uint32_t> credit_coming(PortId out, Cycle at) const override {
    return model_->credit_coming(out, at);
  }
  std::uint32_t queued(PortId in, std::uint32_t vc) const override { return model_->queued(in, vc); }
  std::uint64_t flits() const override { return model_->flits(); }
  std::uint32_t credits(PortId out, std::uint32_t vc) const override { return model_->credits(out, vc); }
  std::optional<std::pair<PortId, std::uint32_t>> owner(PortId out, std::uint32_t vc) const override {
    return model_->owner(out, vc);
  }
  std::uint32_t spent(PortId out, std::uint32_t vc, const IqCore::Accounts&) const override;
  std::uint32_t held(PortId in, std::uint32_t vc, const IqCore::Accounts&) const override;
  std::uint64_t sent(PortId out) const override { return model_->sent(out); }
  Cycle sending_time() const override { return model_->sending_time(); }
  std::uint64_t grants() const override { return core_.grants(); }
  bool quiet() const override { return core_.quiet() && driver_.quiet(); }

  void receive(PortId in, const IqTransfer& transfer) override;
  void answer(PortId out, const IqTransfer& transfer) override;

 private:
  /// Neighbour of the model's router on all sides: hands on what it does, and notes it as outputs of the RTL.
  struct Neighbour final : IqReceiver, IqSender {
    explicit Neighbour(LockstepIqRouter& of) : owner(of) {}
    void receive(PortId out, const IqTransfer& transfer) override { owner.sent(out, transfer); }
    void answer(PortId in, const IqTransfer& transfer) override { owner.answered(in, transfer); }
    LockstepIqRouter& owner;
  };
  void sent(PortId out, const IqTransfer& transfer);
  void answered(PortId in, const IqTransfer& transfer);
  IqRouterOutputs& expected(Cycle at) { return expected_[static_cast<std::uint64_t>(at) % expected_.size()]; }
  std::uint32_t leaving(PortId out, const IqTransfer& transfer);
  void serve(Cycle now) override;

  const IqParameters parameters_;
  Neighbour neighbour_{*this};
  IqAgenda agenda_;
  IqCore core_;
  std::unique_ptr<IqRouter> model_;
  std::vector<std::unique_ptr<IqOutPort>> to_model_;
  std::vector<std::unique_ptr<IqInPort>> from_model_;
  const IqRouterOutputs nothing_;
  std::vector<IqRouterOutputs> expected_;  // of the coming cycles: a ring
  std::vector<std::uint32_t> leaving_;     // [output, VC]: packet that is leaving
  sc_core::sc_time flit_delay_;
  sc_core::sc_time credit_delay_;
  LockstepCount& count_;
};

}  // namespace weft

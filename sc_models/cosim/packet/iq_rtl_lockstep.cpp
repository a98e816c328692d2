// LockstepIqRouter: the model's router and the RTL side by side.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/diagnostics.h"
#include "cosim/packet/iq_rtl_routers.h"

namespace weft {
namespace {

IqRouterOutputs outputs_of(const IqRouterRtlSize& size) {
  IqRouterOutputs out;
  out.flits.resize(size.ports);
  out.credits.resize(size.ports);
  return out;
}

}  // namespace

LockstepIqRouter::LockstepIqRouter(const sc_core::sc_module_name& name, const IqRouterPlace& place,
                                   std::unique_ptr<IqRouterRtl> rtl, const IqRouterRtlSize& size, LockstepCount& count)
    : IqRtlModule(name, place, std::move(rtl), size, Phase::settle),
      parameters_(place.parameters),
      agenda_(place.domain, place.parameters),
      core_(place.domain, agenda_, place.parameters, place.routes, place.observers),
      model_(std::make_unique<IqRouter>("model", core_, place.site)),
      to_model_(place.site.ports),
      from_model_(place.site.ports),
      nothing_(outputs_of(size)),
      expected_(1 + size.switch_allocation + std::max(size.crossbar, size.credit), nothing_),
      leaving_(static_cast<std::size_t>(place.site.ports) * place.parameters.vcs, IqRtlDriver::kNone),
      flit_delay_(domain_.time_of(parameters_.switch_allocation + parameters_.crossbar + parameters_.link)),
      credit_delay_(domain_.time_of(parameters_.switch_allocation + parameters_.credit)),
      count_(count) {
  for (PortId p = 0; p < place.site.ports; ++p) {
    if (!place.site.connected[p]) continue;
    to_model_[p] = std::make_unique<IqOutPort>(&neighbour_, p);
    from_model_[p] = std::make_unique<IqInPort>(neighbour_, p);
    to_model_[p]->bind(model_->in(p));
    model_->out(p).bind(*from_model_[p]);
  }
}

LockstepIqRouter::~LockstepIqRouter() = default;

void LockstepIqRouter::receive(PortId in, const IqTransfer& transfer) {
  model_->receive(in, transfer);
  const auto at = driver_.take_flit(in, transfer);
  if (!at) refuse("flit", in, transfer, transfer.at, domain_.now());
  wake(*at);
}

void LockstepIqRouter::answer(PortId out, const IqTransfer& transfer) {
  model_->answer(out, transfer);
  const auto at = driver_.take_credit(out, transfer);
  if (!at) refuse("credit", out, transfer, transfer.at, domain_.now());
  wake(*at);
}

/// Packet of a flit that the model sends. A packet may come to a router twice; its head leaves only once at a time.
std::uint32_t LockstepIqRouter::leaving(PortId out, const IqTransfer& transfer) {
  std::uint32_t& packet = leaving_[static_cast<std::size_t>(out) * parameters_.vcs + transfer.vc];
  if (transfer.flit.head()) {
    for (PortId p = 0; p < ports(); ++p) {
      for (std::uint32_t v = 0; v < parameters_.vcs; ++v) {
        const std::uint32_t front = driver_.front(p, v);
        if (front == IqRtlDriver::kNone || driver_.packet(front).left > 0) continue;
        if (driver_.packet(front).message == &transfer.flit.message()) packet = front;
      }
    }
  }
  return transfer.flit.tail() ? std::exchange(packet, IqRtlDriver::kNone) : packet;
}

// The model says when a flit arrives behind the link.
void LockstepIqRouter::sent(PortId out, const IqTransfer& transfer) {
  const Cycle at = transfer.at - driver_.flit_time();
  expected(at).flits[out] = {true,
                             transfer.flit.head(),
                             transfer.flit.tail(),
                             static_cast<std::uint8_t>(transfer.vc),
                             driver_.leave(leaving(out, transfer)),
                             false};
  wake(at);
  IqTransfer on = transfer;
  this->out(out).send(on, flit_delay_);
}

void LockstepIqRouter::answered(PortId in, const IqTransfer& transfer) {
  const Cycle at = transfer.at - driver_.credit_time();
  expected(at).credits[in] = {true, static_cast<std::uint8_t>(transfer.vc)};
  wake(at);
  IqTransfer on = transfer;
  this->in(in).answer(on, credit_delay_);
}

void LockstepIqRouter::serve(Cycle now) {
  const IqRouterOutputs& rtl = driver_.evaluate(now);
  IqRouterOutputs& model = expected(now);
  ++count_.cycles;
  if (rtl != model) {
    driver_.block().break_off();
    throw RunError(fmt::format("lockstep difference in {} at {}\n  inputs:{}\n  model shows{}\n  rtl shows{}", name(),
                               time(), driver_.text_of_inputs(), driver_.text(model), driver_.text(rtl)));
  }
  model = nothing_;
  driver_.end_cycle();
}

std::uint32_t LockstepIqRouter::spent(PortId out, std::uint32_t vc, const IqCore::Accounts&) const {
  IqCore::Accounts accounts;
  core_.count(accounts);
  return accounts.spent[model_->index(out, vc)];
}

std::uint32_t LockstepIqRouter::held(PortId in, std::uint32_t vc, const IqCore::Accounts&) const {
  IqCore::Accounts accounts;
  core_.count(accounts);
  return accounts.held[model_->index(in, vc)];
}

}  // namespace weft

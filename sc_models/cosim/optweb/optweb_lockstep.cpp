#include "cosim/optweb/optweb_lockstep.h"

#include <fmt/format.h>

#include <utility>

#include "base/diagnostics.h"

namespace weft::optweb {
namespace {

[[noreturn]] void differ(const BlockSite& place, const std::string& inputs, const std::string& model,
                         const std::string& rtl) {
  throw RunError(fmt::format("lockstep difference in {} {}\n  inputs: {}\n  model: {}\n  rtl:   {}", place.path,
                             at_time(place.now()), inputs, model, rtl));
}

std::string text(const LinkSyncInputs& in) {
  std::string out = in.notify ? "notification waits" : "no notification";
  out += in.valid ? fmt::format(", word {:#x} waits", in.word) : ", no word";
  return out + (in.link_active ? fmt::format(", lane in active with {:#x}", in.link_word) : ", lane in at rest");
}

std::string text(const LinkSyncOutputs& out) {
  return fmt::format("notify_ready={:d} ready={:d} lane out {}, {}{}", out.notify_ready, out.ready,
                     out.link_active ? fmt::format("active with {:#x}", out.link_word) : std::string("at rest"),
                     out.notified ? "notification received, " : "",
                     out.received ? fmt::format("word {:#x} received", out.received_word) : std::string("no word"));
}

std::string text(const StripeRequest& request) {
  return fmt::format("Ra {:#x}, {} bytes, stripe {}", request.base, request.size, request.index);
}

std::string text(const StripeResponse& response) {
  switch (response.error) {
    case StripeError::kRange:
      return "out of range";
    case StripeError::kOverlap:
      return "beyond its stripe";
    case StripeError::kNone:
      break;
  }
  return fmt::format("address {:#x}, interfaces {:#04b}", response.address, response.interfaces);
}

std::string text(Units units) {
  std::string out;
  const auto add = [&](Units unit, const char* name) {
    if ((units & unit) != 0) out += (out.empty() ? "" : "+") + std::string(name);
  };
  add(kSwitchUnit, "switch");
  add(kDmacUnit, "M_DMAC");
  add(kUserUnit, "user logic");
  return out.empty() ? "none" : out;
}

std::string text(const MachineInstruction& i) {
  return fmt::format("{} send={:#x} receive={:#x} size={} source={} destination={} group={} flags={:#x}",
                     opcode_name(i.opcode), i.send_address, i.receive_address, i.size, i.source, i.destination, i.group,
                     i.flags);
}

std::string text(const SequencerInputs& in) {
  std::string out = fmt::format("ready: {}, done: {}, time {}", text(in.ready), text(in.done), in.time);
  if (in.doorbell) out += fmt::format(", doorbell {}", in.count);
  if (in.write) out += fmt::format(", write entry {}: {}", in.index, text(in.instruction));
  return out;
}

std::string text(const SequencerOutputs& out) {
  std::string events;
  if (out.doorbell_ok) events += ", doorbell taken";
  if (out.completed) events += fmt::format(", complete after {} cycles", out.elapsed);
  if (out.illegal) events += ", illegal instruction";
  if (out.stray != 0) events += ", stray done: " + text(out.stray);
  return fmt::format("{}, next entry {}, {} free, issue to {}: {}{}", out.idle ? "idle" : "busy", out.entry, out.free,
                     text(out.issue), text(out.instruction), events);
}

}  // namespace

LockstepLinkSync::LockstepLinkSync(BlockSite place, std::uint32_t gap, std::unique_ptr<LinkSyncRtl> core,
                                   LockstepCount& count)
    : place_(std::move(place)), model_(gap), core_(std::move(core)), count_(count) {}

LinkSyncOutputs LockstepLinkSync::step(const LinkSyncInputs& inputs) {
  const LinkSyncOutputs rtl = core_->step(inputs);
  const LinkSyncOutputs model = model_.step(inputs);
  ++count_.cycles;
  if (!(model == rtl)) differ(place_, text(inputs), text(model), text(rtl));
  return model;
}

LockstepStripeAddress::LockstepStripeAddress(BlockSite place, const StripeGeometry& geometry,
                                             std::unique_ptr<StripeAddressRtl> core, LockstepCount& count)
    : place_(std::move(place)), model_(geometry), core_(std::move(core)), count_(count) {}

StripeResponse LockstepStripeAddress::translate(const StripeRequest& request) {
  const StripeResponse rtl = core_->translate(request);
  const StripeResponse model = model_.translate(request);
  ++count_.requests;
  if (!(model == rtl)) differ(place_, text(request), text(model), text(rtl));
  return model;
}

LockstepCommandSequencer::LockstepCommandSequencer(BlockSite place, std::uint32_t depth,
                                                   std::unique_ptr<CommandSequencerRtl> core, LockstepCount& count)
    : place_(std::move(place)), model_(depth), core_(std::move(core)), count_(count) {}

SequencerOutputs LockstepCommandSequencer::step(const SequencerInputs& inputs) {
  const std::string_view state = model_.state_name();
  const Units running = model_.running();
  const SequencerOutputs rtl = core_->step(inputs);
  const SequencerOutputs model = model_.step(inputs);
  ++count_.cycles;
  if (!(model == rtl)) {
    differ(place_, fmt::format("{}; state {}, running: {}", text(inputs), state, text(running)), text(model),
           text(rtl));
  }
  return model;
}

}  // namespace weft::optweb

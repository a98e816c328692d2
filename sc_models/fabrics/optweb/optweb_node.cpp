#include "fabrics/optweb/optweb_node.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabrics/optweb/observer.h"

namespace weft {
namespace {

optweb::BlockSite place_of(const NodeClock& clock, NodeId node, const char* parent, const std::string& block) {
  return {node, fmt::format("{}.{}", parent, block), [&clock] {
            const Cycle now = clock.now();
            return now < 0 ? std::string() : fmt::format("{} (cycle {})", to_string(Duration{clock.time(now)}), now);
          }};
}

}  // namespace

OptwebNode::OptwebNode(sc_core::sc_module_name name, ClockDomain& agenda, const OptwebParameters& parameters,
                       const optweb::NodeView& view, optweb::BlockFactory& blocks, const OptwebNames& names,
                       const OptwebObservers& observers, TransferLedger& ledger, OptwebModules& modules)
    : sc_module(name),
      clock_(agenda, *parameters.config, view.node),
      view_(view),
      names_(names),
      observers_(observers),
      ledger_(ledger),
      boxes_(view.node, clock_, observers),
      memory_("hbm", parameters, clock_, view.node),
      dmac_("m_dmac", parameters, view, memory_,
            blocks.stripe_address(place_of(clock_, view.node, this->name(), "m_dmac.stripe_address"),
                                  {parameters.config->interface_bytes, parameters.config->stripes})),
      switch_(
          "switch", clock_, parameters, view.node, dmac_, memory_, names, observers,
          [&](NodeId peer) {
            const auto block = [&](const char* lane) {
              return blocks.link_sync(
                  place_of(clock_, view.node, this->name(), fmt::format("switch.link[{}].{}", peer, lane)),
                  parameters.config->link.gap);
            };
            LinkSyncs out;
            out.transmitter = block("transmitter");
            out.receiver = block("receiver");
            return out;
          },
          blocks.switch_control(place_of(clock_, view.node, this->name(), "switch.control"), view.neighbours.dmacs(),
                                view.neighbours.place(view.node, 0)),
          modules),
      changeover_("changeover"),
      user_port_("user_port", clock_, parameters, dmac_, memory_.bytes(), boxes_),
      own_logic_(modules.user_logic({"user_logic", view.node, view.neighbours.dmacs(), parameters})),
      sequencer_("sequencer", clock_,
                 blocks.command_sequencer(place_of(clock_, view.node, this->name(), "sequencer"),
                                          parameters.config->sequencer_depth),
                 parameters.config->sequencer_depth, *this),
      host_master_("host_master", clock_, parameters),
      host_("host", memory_, host_master_, parameters, clock_, *this) {
  host_master_.record(boxes_);
  host_master_.memory.bind(memory_.crossbars());
  memory_.crossbars().set_watchers(*this, host_master_);
  switch_.done.bind(dmac_);
  dmac_.to_sequencer.bind(sequencer_);
  user_port_.done.bind(changeover_);
  changeover_.to_sequencer.bind(sequencer_);
  set_user_logic(*own_logic_);
  execution_.node = view.node;
}

void OptwebNode::set_user_logic(UserLogic& logic) {
  user_logic_ = &logic;
  if (auto* const words = dynamic_cast<StreamLogic*>(&logic)) words->out.bind(user_port_);
}

void OptwebNode::start_program() {
  sequencer_.start();
  host_.program_starts();
}

void OptwebNode::issue(const optweb::MachineInstruction& instruction, std::uint32_t number, Cycle now) {
  running_ = optweb::units_of(instruction.opcode);
  observers_.tell([&](OptwebObserver& o) { o.on_issue(view_.node, number); });
  issued_ = now;
  execution_.number = number;
  execution_.bytes_in = execution_.bytes_out = 0;
  execution_.sent.reset();
  execution_.received.reset();
  execution_.rendezvous = false;
  execution_.unfenced = false;
  if (running_ == optweb::kUserUnit) {
    changeover_.move(ChangeoverSwitch::Position::user, now);
    user_port_.start(*user_logic_, instruction, number, now);
    return;
  }
  if (running_ == optweb::kDmacUnit) {
    clock_.schedule(dmac_.fence(now), Phase::transfer, *this, 0);
    return;
  }
  const optweb::MachineInstruction routed =
      routes_ == nullptr ? instruction : routes_->routed(instruction, view_.node, number, clock_.time(now));
  DmacPlan plan = dmac_.dispatch(routed, now);
  ledger_.post(view_.node, number, optweb::operation_of(routed), plan.partners);
  for (const DmacPlan::Unfenced& u : plan.unfenced) {
    if (u.read >= u.acknowledged) continue;
    throw RunError(fmt::format(
        "a fence is missing: {} reads in cycle {} what {} has written, and these writes are "
        "acknowledged in cycle {}",
        names_.instruction(view_.node, number), u.read, names_.instruction(view_.node, u.writer), u.acknowledged));
  }
  execution_.unfenced = !plan.unfenced.empty();
  for (const ReaderStream& r : plan.readers) {
    for (const NodeId n : r.stream.to) execution_.bytes_out += n == view_.node ? 0 : r.stream.bytes;
  }
  for (const WriterStream& w : plan.writers) {
    execution_.bytes_in += w.receive.from == view_.node ? 0 : w.receive.bytes;
  }
  execution_.rendezvous = plan.rendezvous && execution_.bytes_in + execution_.bytes_out > 0;
  switch_.configure(std::move(plan), number, now);
}

void OptwebNode::memory_changed(std::uint32_t stripe) {
  switch_.memory_changed(stripe);
  user_port_.memory_changed(stripe);
}

// The end of a fence.
void OptwebNode::due(Cycle, std::uint32_t) { dmac_.fenced(clock_.now()); }

void OptwebNode::completed(std::uint32_t, Cycle now, std::uint32_t elapsed) {
  last_completed_ = now + 1;
  if ((running_ & optweb::kSwitchUnit) != 0) {
    if (switch_.sent()) execution_.sent = clock_.time(*switch_.sent());
    if (switch_.received()) execution_.received = clock_.time(*switch_.received());
  }
  execution_.completed = clock_.time(now + 1);
  execution_.started = clock_.time(now + 1 - static_cast<Cycle>(elapsed));
  if (boxes_.wanted()) record_execution(now, elapsed);
  observers_.tell([&](OptwebObserver& o) { o.on_execute(execution_); });
}

void OptwebNode::record_execution(Cycle now, std::uint32_t elapsed) const {
  const bool user = running_ == optweb::kUserUnit;
  const OptwebBoxState unit = user                            ? OptwebBoxState::user
                              : running_ == optweb::kDmacUnit ? OptwebBoxState::fence
                                                              : OptwebBoxState::network;
  boxes_.tell(OptwebBox::sequencer, 0, OptwebBoxState::fetch, now + 1 - static_cast<Cycle>(elapsed), issued_, {});
  boxes_.tell(OptwebBox::sequencer, 0, unit, issued_, now + 1, {});
  if (user) boxes_.tell(OptwebBox::user_logic, 0, OptwebBoxState::compute, issued_, now, {});
}

std::string OptwebNode::describe_wait() const {
  return sequencer_.finished() ? std::string() : switch_.describe_wait();
}

}  // namespace weft

#include "run/optweb_waves.h"

#include "report/gtkw.h"

namespace weft {
namespace {

std::vector<OptwebWaveView::Link> links_of(const OptwebNetwork& network) {
  std::vector<OptwebWaveView::Link> out;
  for (NodeId a = 0; a < network.nodes(); ++a) {
    for (NodeId b = 0; b < network.nodes(); ++b) {
      if (network.node(a).distributed_switch().link(b) != nullptr) out.push_back({a, b});
    }
  }
  return out;
}

}  // namespace

OptwebWaves::OptwebWaves(const std::string& path, const OptwebPlatform& platform, OptwebNetwork& network,
                         OptwebBlocks& blocks)
    : path_(path),
      platform_(platform),
      network_(network),
      blocks_(blocks),
      rtl_(platform.config().sequencer != Implementation::model ||
           platform.config().stripe_address != Implementation::model),
      file_(path),
      view_(file_, network.name(), network.nodes(), links_of(network), network.parameters().link_latency,
            network.domain().period(), platform.config().sequencer != Implementation::model,
            platform.config().stripe_address != Implementation::model),
      seen_(network.nodes()) {
  blocks_.trace(file_.file(), [](std::uint32_t) { return true; });
  file_.open();
  network.domain().set_cycle_hook([this](Cycle cycle) { on_cycle(cycle); });
}

void OptwebWaves::on_cycle(Cycle cycle) {
  if (rtl_) blocks_.trace_cycle();
  for (NodeId n = 0; n < network_.nodes(); ++n) {
    const OptwebNode& node = network_.node(n);
    if (!node.clock().has_edge()) continue;  // its cycle goes on
    const OptwebSequencer& s = node.sequencer();
    const DistributedSwitch& sw = node.distributed_switch();
    // A cycle changes registers at its end: what the sequencer was in the cycle is what the one before has left, but
    // for an instruction that is issued or completed in it.
    OptwebNodeState state;
    const bool completed = s.completed() > seen_[n].completed;
    const bool running = s.running() || completed;
    state.state = running ? "run" : seen_[n].busy ? "fetch" : "idle";
    if (running) state.instruction = network_.short_name(n, completed ? s.completed() - 1 : s.completed());
    seen_[n] = {s.completed(), !s.resting()};
    state.reading = sw.streams_open();
    state.writing = sw.receipts_missing();
    state.notifications = sw.notifications_missing();
    view_.show_node(n, state);
  }
  for (std::size_t i = 0; i < view_.links().size(); ++i) {
    const OptwebWaveView::Link& l = view_.links()[i];
    const OptwebNode& from = network_.node(l.from);
    const LinkIp::Lane lane = from.distributed_switch().link(l.to)->lane(from.clock().now());
    view_.show_link(i, cycle,
                    lane == LinkIp::Lane::data           ? OptwebLane::data
                    : lane == LinkIp::Lane::notification ? OptwebLane::notification
                                                         : OptwebLane::rest);
  }
  const auto period = network_.domain().period().ps;
  file_.dump(static_cast<std::uint64_t>(cycle * period));
  if (rtl_) {
    blocks_.trace_half_cycle();
    file_.dump(static_cast<std::uint64_t>(cycle * period + period / 2));
  }
  last_ = cycle;
}

std::vector<std::string> OptwebWaves::close() {
  network_.domain().set_cycle_hook({});
  file_.dump(static_cast<std::uint64_t>((last_ + 1) * network_.domain().period().ps));
  file_.close();
  return write_gtkw(path_, [&](const std::string& file) { return view_.gtkw(file); });
}

}  // namespace weft

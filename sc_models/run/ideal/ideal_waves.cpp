#include "run/ideal/ideal_waves.h"

#include <vector>

#include "run/waves/wave_nodes.h"

namespace weft {
namespace {

std::vector<NodeId> shown_nodes(const IdealConfig& config, const IdealNetwork& network) {
  std::vector<NodeId> chosen;
  for (const WaveTransfers::Node& n : config.waves.nodes) chosen.push_back(n.node);
  return wave_nodes(std::move(chosen), network.nodes());
}

IdealWaveView::Network shown_network(const IdealConfig& config, IdealNetwork& network) {
  IdealWaveView::Network out{
      network.name(), network.nodes(), {}, config.receivers == IdealReceivers::serial, network.tick()};
  for (const ServiceConfig& s : config.workload.traffic.services) out.levels.push_back(s.name);
  return out;
}

}  // namespace

IdealWaves::IdealWaves(const std::string& path, const IdealConfig& config, const Part& part, IdealNetwork& network)
    : CycleWaves(path, part, network.domain(), config.waves.times),
      view_(file(), shown_network(config, network), shown_nodes(config, network)) {
  open();
  network.observe(view_);
  network.watch_arrivals(&view_);
}

std::string IdealWaves::view(const std::string& fst, Cycle first) {
  view_.set_first_activity(first);
  return view_.gtkw(fst);
}

}  // namespace weft

#include "run/tdm/circuit_message_log.h"

#include <fmt/format.h>

#include <cereal/archives/binary.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <sstream>
#include <utility>

#include "base/text.h"

namespace weft {

CircuitMessageLog::CircuitMessageLog(const TdmPlatform& platform, bool keeps)
    : period_(platform.config().tdm_switch.period),
      warm_up_(CycleSpan{false, platform.config().run.warm_up.ps}.cycles(period_)),
      log_("generated (ns),sent (ns),delivered (ns),source,destination,phase,job,flow,words\n", keeps) {}

CircuitMessageLog::CircuitMessageLog(const TdmPlatform& platform, const Ranks* ranks)
    : CircuitMessageLog(platform, ranks != nullptr) {
  const std::vector<PhasePlan>& phases = platform.phases();
  first_.resize(phases.size());
  for (std::size_t p = 0; p < phases.size(); ++p) {
    for (const CircuitPlan& c : phases[p].circuits) {
      const Flow& flow = phases[p].flows[c.flow];
      add_circuit({{}, c.source, c.destinations, 0, p}, phases[p].name, flow.job, flow.name);
    }
  }
}

CircuitMessageLog::CircuitMessageLog(const TdmPlatform& platform, const std::vector<TimedFlow>& flows,
                                     const Ranks* ranks)
    : CircuitMessageLog(platform, ranks != nullptr) {
  first_ = {warm_up_};
  const std::string phase = platform.phases().size() == 1 ? platform.phases().front().name : std::string();
  for (const TimedFlow& f : flows) {
    add_circuit({{}, f.source, f.destinations, f.message_words, 0}, phase, f.job, f.name);
  }
}

void CircuitMessageLog::add_circuit(Circuit circuit, const std::string& phase, const std::string& job,
                                    const std::string& name) {
  circuit.cells = csv_field(phase) + "," + csv_field(job) + "," + csv_field(name);
  circuits_.push_back(std::move(circuit));
}

void CircuitMessageLog::on_phase(std::size_t phase, Cycle data_start) { first_[phase] = data_start + warm_up_; }

void CircuitMessageLog::on_deliver(const DeliveryEvent& event) {
  const TdmMessage& m = event.message;
  add(circuits_[m.circuit], event.destination, m.words, m.generated, m.head, event.delivered);
}

void CircuitMessageLog::arrived(const FlowArrival& a) {
  const Circuit& c = circuits_[a.flow];
  add(c, c.destinations[a.destination], c.words, a.generated, a.head, a.last);
}

void CircuitMessageLog::add(const Circuit& circuit, NodeId to, std::uint64_t words, Cycle generated, Cycle head,
                            Cycle delivered) {
  if (generated < first_[circuit.phase]) return;
  const auto ns = [&](Cycle c) { return static_cast<double>(c * period_.ps) / 1000.0; };
  log_.add({delivered, to,
            fmt::format("{},{},{},{},{},{},{}\n", ns(generated), ns(head), ns(delivered), circuit.source, to,
                        circuit.cells, words)});
}

void CircuitMessageLog::collect(Ranks& ranks) {
  std::ostringstream out;
  cereal::BinaryOutputArchive to(out);
  to(log_.lines());
  const std::vector<std::string> all = ranks.gather(std::move(out).str());
  log_.restart();
  for (const std::string& lines : all) {
    std::istringstream in(lines);
    cereal::BinaryInputArchive from(in);
    std::vector<MessageLog::Line> some;
    from(some);
    log_.join(std::move(some));
  }
}

}  // namespace weft

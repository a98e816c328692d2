#include "fabrics/optweb/boxes.h"

#include "fabrics/optweb/receiving_side.h"
#include "fabrics/optweb/sending_side.h"

namespace weft {

std::unique_ptr<ControlRegisterIf> OptwebBoxes::control_register(const Place& p) {
  return std::make_unique<ControlRegister>(p.name, p.parameters);
}
std::unique_ptr<DistributorsIf> OptwebBoxes::distributors(const Place& p) {
  return std::make_unique<Distributors>(p.name, p.parameters, p.ports);
}
std::unique_ptr<SelectorsIf> OptwebBoxes::selectors(const Place& p) {
  return std::make_unique<Selectors>(p.name, p.parameters, p.ports);
}
std::unique_ptr<GateIf> OptwebBoxes::gate(const Place& p) { return std::make_unique<Gate>(p.name, p.parameters); }
std::unique_ptr<WordCountersIf> OptwebBoxes::sent_counters(const Place& p) {
  return std::make_unique<WordCounters>(p.name, 0, p.ports);
}
std::unique_ptr<NotificationRegistersIf> OptwebBoxes::notifications(const Place& p) {
  return std::make_unique<NotificationRegisters>(p.name, p.parameters, p.ports);
}
std::unique_ptr<ReceiveBuffersIf> OptwebBoxes::buffers(const Place& p) {
  return std::make_unique<ReceiveBuffers>(p.name, p.parameters, p.ports);
}
std::unique_ptr<CrossbarIf> OptwebBoxes::crossbar(const Place& p) {
  return std::make_unique<Crossbar>(p.name, p.parameters, p.ports);
}
std::unique_ptr<ReductionUnitIf> OptwebBoxes::reduction(const Place& p) {
  return std::make_unique<ReductionUnit>(p.name, p.parameters);
}
std::unique_ptr<WordCountersIf> OptwebBoxes::received_counters(const Place& p) {
  return std::make_unique<WordCounters>(p.name, p.parameters.latency().counter, p.ports);
}

}  // namespace weft

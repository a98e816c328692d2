#include "fabrics/optweb/module_factory.h"

#include "fabrics/optweb/receiving_side.h"
#include "fabrics/optweb/sending_side.h"

namespace weft {

std::unique_ptr<ControlRegisterIf> OptwebModules::control_register(const Site& p) {
  return std::make_unique<ControlRegister>(p.name, p.parameters);
}
std::unique_ptr<DistributorsIf> OptwebModules::distributors(const Site& p) {
  return std::make_unique<Distributors>(p.name, p.parameters, p.ports);
}
std::unique_ptr<SelectorsIf> OptwebModules::selectors(const Site& p) {
  return std::make_unique<Selectors>(p.name, p.parameters, p.ports);
}
std::unique_ptr<GateIf> OptwebModules::gate(const Site& p) { return std::make_unique<Gate>(p.name, p.parameters); }
std::unique_ptr<WordCountersIf> OptwebModules::sent_counters(const Site& p) {
  return std::make_unique<WordCounters>(p.name, 0, p.ports);
}
std::unique_ptr<NotificationRegistersIf> OptwebModules::notifications(const Site& p) {
  return std::make_unique<NotificationRegisters>(p.name, p.parameters, p.ports);
}
std::unique_ptr<ReceiveBuffersIf> OptwebModules::buffers(const Site& p) {
  return std::make_unique<ReceiveBuffers>(p.name, p.parameters, p.ports);
}
std::unique_ptr<CrossbarIf> OptwebModules::crossbar(const Site& p) {
  return std::make_unique<Crossbar>(p.name, p.parameters, p.ports);
}
std::unique_ptr<ReductionUnitIf> OptwebModules::reduction(const Site& p) {
  return std::make_unique<ReductionUnit>(p.name, p.parameters);
}
std::unique_ptr<WordCountersIf> OptwebModules::received_counters(const Site& p) {
  return std::make_unique<WordCounters>(p.name, p.parameters.latency().counter, p.ports);
}
std::unique_ptr<WordBox> OptwebModules::sent_box(const Site&, std::size_t) { return nullptr; }
std::unique_ptr<WordBox> OptwebModules::received_box(const Site&, std::size_t) { return nullptr; }
std::unique_ptr<UserLogic> OptwebModules::user_logic(const Site&) { return std::make_unique<TimedUserLogic>(); }

}  // namespace weft

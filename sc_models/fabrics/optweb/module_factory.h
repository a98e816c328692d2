#pragma once
// Factory of the modules of a distributed switch: those of sending_side.h and receiving_side.h here, others when a
// design overrides a function and hands its own factory to OptwebNetwork. Each is an sc_module of the given name, made
// within its distributed switch and destroyed with it. User logic, which need not be a module, is made within its node.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "fabrics/optweb/boxes/word_path.h"
#include "fabrics/optweb/parameters.h"
#include "fabrics/optweb/switch_modules.h"
#include "fabrics/optweb/user/user_logic.h"

namespace weft {

/// Site of a module.
struct OptwebModuleSite {
  const char* name = "";  ///< within its distributed switch
  NodeId node = kNoId;
  std::uint32_t ports = 0;  ///< DMACs of the node, and so readers, writers, links and the way to itself
  const OptwebParameters& parameters;
};

class OptwebModules {
 public:
  using Site = OptwebModuleSite;
  virtual ~OptwebModules() = default;
  virtual std::unique_ptr<ControlRegisterIf> control_register(const Site& site);
  virtual std::unique_ptr<DistributorsIf> distributors(const Site& site);
  virtual std::unique_ptr<SelectorsIf> selectors(const Site& site);
  virtual std::unique_ptr<GateIf> gate(const Site& site);
  virtual std::unique_ptr<WordCountersIf> sent_counters(const Site& site);
  virtual std::unique_ptr<NotificationRegistersIf> notifications(const Site& site);
  virtual std::unique_ptr<ReceiveBuffersIf> buffers(const Site& site);
  virtual std::unique_ptr<CrossbarIf> crossbar(const Site& site);
  virtual std::unique_ptr<ReductionUnitIf> reduction(const Site& site);
  virtual std::unique_ptr<WordCountersIf> received_counters(const Site& site);
  /// Boxes between R#i and distributors, and between N x N switch and reduction unit or word counters: number `place`
  /// in the order in which words pass them. Null: there are no more, and here none at all.
  virtual std::unique_ptr<WordBox> sent_box(const Site& site, std::size_t place);
  virtual std::unique_ptr<WordBox> received_box(const Site& site, std::size_t place);
  /// Behind the changeover switch.
  virtual std::unique_ptr<UserLogic> user_logic(const Site& site);
};

}  // namespace weft

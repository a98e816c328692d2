#pragma once
// Control of the distributed switch of an OPTWEB node: the control register with the paths of an instruction, the gate
// of a rendezvous, the notifications that are awaited, the word counters of both sides, and which reader's words go
// where. It decides who is notified, when words may pass and when everything has passed; latencies are those of the
// modules around it (fabrics/optweb/switch_modules.h). Source: sections 3.2.1 and 3.3 of the paper named in
// algorithms/optweb/link_sync.h. Twin of rtl/optweb/switch_control.sv, bit exact.
//
// It is told what happens, event by event; what happens in one cycle of the node is one cycle of the RTL. Within a
// cycle notifications come first, then set(), then words, then clear(), then write(). Cycles in which nothing happens
// change nothing and need not be told.
//
// Of a barrier one notification is awaited from each node. Of a transfer one from each receiver when it has everything,
// and in a rendezvous another one before, when it is ready: while one is not, the gate is shut. A notification that is
// not awaited is kept for an instruction to come, up to kEarlyNotifications of a port.

#include <cstdint>
#include <memory>
#include <vector>

#include "base/units.h"

namespace weft::optweb {

inline constexpr std::uint32_t kEarlyNotifications = 3;

/// Content of the control register. Ports are numbered as the DMACs (algorithms/optweb/neighbours.h).
struct ControlWord {
  struct Path {
    std::uint32_t port = 0;   ///< output or input
    std::uint32_t dmac = 0;   ///< number of its reader or writer
    std::uint64_t words = 0;  ///< none: there is no such path
  };
  bool rendezvous = false;
  std::vector<std::uint32_t> barrier;  ///< ports of its nodes
  std::vector<Path> sends;             ///< outputs, each once
  std::vector<Path> receives;          ///< inputs, each once
};

/// Decisions that an event has brought about.
struct ControlEvents {
  bool opens = false;     ///< words may pass from now on
  bool noted = false;     ///< the last notification that was awaited has come
  bool sent = false;      ///< the last word has been sent
  bool received = false;  ///< the last word has been received
  bool operator==(const ControlEvents&) const = default;
};

/// A control as a node uses it: the plain class below, its RTL, or both. `now`: cycle of the node.
class SwitchControlIf {
 public:
  virtual ~SwitchControlIf() = default;
  /// Not while it holds an instruction.
  virtual void write(const ControlWord& word, Cycle now) = 0;
  /// In a later cycle than write().
  virtual ControlEvents set(Cycle now) = 0;
  /// A notification of this port is registered.
  virtual ControlEvents notified(std::uint32_t port, Cycle now) = 0;
  /// So many words of a reader leave, by all outputs that are joined to it, if the gate is open.
  virtual ControlEvents passed(std::uint32_t reader, std::uint64_t words, Cycle now) = 0;
  /// So many words of a link, or of the node itself, are counted.
  virtual ControlEvents counted(std::uint32_t port, std::uint64_t words, Cycle now) = 0;
  virtual void clear(Cycle now) = 0;
  /// Notifications of the instruction that have not come from this port.
  virtual std::uint32_t awaited(std::uint32_t port) const = 0;
  /// In the cycle of set(): this port gets a notification.
  virtual bool notifies(std::uint32_t port) const = 0;
  /// This port gets a notification when everything has been received.
  virtual bool confirms(std::uint32_t port) const = 0;
};

class SwitchControl final : public SwitchControlIf {
 public:
  /// `own`: the port of the node itself.
  SwitchControl(std::uint32_t ports, std::uint32_t own) : own_(own), ports_(ports) {}

  void write(const ControlWord& word, Cycle now) override;
  ControlEvents set(Cycle now) override;
  ControlEvents notified(std::uint32_t port, Cycle now) override;
  ControlEvents passed(std::uint32_t reader, std::uint64_t words, Cycle now) override;
  ControlEvents counted(std::uint32_t port, std::uint64_t words, Cycle now) override;
  void clear(Cycle now) override;
  std::uint32_t awaited(std::uint32_t port) const override { return ports_[port].awaited; }
  bool notifies(std::uint32_t port) const override {
    return ports_[port].barrier || (rendezvous_ && ports_[port].receives && port != own_);
  }
  bool confirms(std::uint32_t port) const override { return ports_[port].receives && port != own_; }

  // The other pins of the RTL.
  std::uint32_t ports() const { return static_cast<std::uint32_t>(ports_.size()); }
  bool holds() const { return holds_; }
  bool is_set() const { return set_; }
  bool open() const { return set_ && unready_ == 0; }
  bool unready(std::uint32_t port) const { return ports_[port].awaited == 2; }
  /// Words have still to leave by this output, to come from this input; the number of the reader or writer.
  bool joined(std::uint32_t output) const { return ports_[output].send_left > 0 && set_; }
  bool taken(std::uint32_t input) const { return ports_[input].receive_left > 0 && set_; }
  std::uint32_t reader(std::uint32_t output) const { return ports_[output].reader; }
  std::uint32_t writer(std::uint32_t input) const { return ports_[input].writer; }
  std::uint64_t send_left(std::uint32_t output) const { return ports_[output].send_left; }
  std::uint64_t receive_left(std::uint32_t input) const { return ports_[input].receive_left; }
  std::uint32_t early(std::uint32_t port) const { return ports_[port].early; }
  /// Nothing is missing of the instruction that is set.
  bool complete() const { return set_ && awaiting_ == 0 && sending_ == 0 && receiving_ == 0; }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Port {
    std::uint64_t send_left = 0;
    std::uint64_t receive_left = 0;
    std::uint32_t reader = 0;
    std::uint32_t writer = 0;
    std::uint32_t first = kNone;  // output of the reader with this number
    std::uint32_t next = kNone;   // output of the same reader as this one
    bool barrier = false;
    bool receives = false;
    bool listed = false;  // in used_
    std::uint8_t awaited = 0;
    std::uint8_t early = 0;
  };
  void use(Port& port);
  Port& list(std::uint32_t port);

  std::uint32_t own_;
  std::vector<Port> ports_;
  std::vector<std::uint32_t> used_;  // ports and readers of the instruction; others are as after a reset, but for early
  bool holds_ = false;
  bool set_ = false;
  bool rendezvous_ = false;
  std::uint32_t awaiting_ = 0;   // ports from which notifications are awaited
  std::uint32_t unready_ = 0;    // receivers that hold the gate shut
  std::uint32_t sending_ = 0;    // outputs that have words to send
  std::uint32_t receiving_ = 0;  // inputs from which words are expected
};

}  // namespace weft::optweb

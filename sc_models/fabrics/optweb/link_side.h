#pragma once
// Link side of a distributed switch: its link IPs, one for each other node that it has a link to, and the way from the
// selectors to the node's own receive buffer, which takes a word per cycle and no time. Words come from the gate, go on
// to the buffers of this node or of others, and notifications to the registers.

#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/link/link_ip.h"
#include "fabrics/optweb/link/word_run.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/parameters.h"

namespace weft {

class LinkSide final : public LinkOwner, public LeavingWordsIf, public LinkNotificationsIf {
 public:
  /// Makes the link IP of a port.
  using MakeLink = std::function<std::unique_ptr<LinkIp>(std::uint32_t port, LinkOwner& owner)>;
  /// `own`: port of the node itself. Its ports are children of the module that is under construction.
  LinkSide(const OptwebParameters& parameters, const NodeClock& clock, std::uint32_t ports, std::uint32_t own)
      : parameters_(parameters), clock_(clock), own_(own), links_(ports) {}
  void make(const MakeLink& make);

  sc_core::sc_port<ArrivingWordsIf> words{"links_to_buffers"};
  sc_core::sc_port<NotificationPathIf> notifications{"links_to_notifications"};

  std::uint32_t ports() const { return static_cast<std::uint32_t>(links_.size()); }
  /// Null: the node itself.
  LinkIp* link(std::uint32_t port) { return links_[port].get(); }
  const LinkIp* link(std::uint32_t port) const { return links_[port].get(); }

  // Words that leave, or have left last, by a port.
  /// First cycle from `now` on in which they may begin.
  Cycle rested(std::uint32_t port, Cycle now) const { return port == own_ ? now : links_[port]->rested(now); }
  Cycle begun(std::uint32_t port) const { return port == own_ ? own_real(own_run_.begun()) : links_[port]->begun(); }
  /// Boundary at which the last one has left.
  Cycle end(std::uint32_t port) const { return port == own_ ? own_end() : links_[port]->end(); }
  /// Those that have left at boundary `at`.
  std::uint64_t passed_by(std::uint32_t port, Cycle at) const;

  void begin(std::uint32_t port, const WordsBegin& words) override;
  void turn(std::uint32_t port, Cycle now, const optweb::WordRate& pace) override;
  Cycle notify(std::uint32_t port, Cycle now, const OptwebNotification& notification) override {
    return links_[port]->notify(now, notification);
  }

  void notification_arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) override {
    if (at < optweb::kNever) notifications->pass(port, notification, at);  // not lost on a link that stays down
  }
  void train_arrives(std::uint32_t port, OptwebTrain&& train) override { words->begins(port, std::move(train)); }
  void train_is_late(std::uint32_t port, Cycle last, Picoseconds ended, Cycle from) override {
    words->is_late(port, last, ended, from);
  }
  void train_turns(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) override {
    words->turns(port, turn, first, last, ended);
  }

 private:
  Cycle own_real(Cycle of_run) const { return own_time_ == nullptr ? of_run : own_time_->real(of_run); }
  Cycle own_run_time(Cycle real) const { return own_time_ == nullptr ? real : own_time_->run(real); }
  Cycle own_end() const { return own_real(own_run_.end()); }

  const OptwebParameters& parameters_;
  const NodeClock& clock_;
  std::uint32_t own_;
  std::vector<std::unique_ptr<LinkIp>> links_;          // by port
  WordRun own_run_;                                     // to the node itself
  std::shared_ptr<const optweb::StreamTime> own_time_;  // of that; null: no link of its stream ever fails
};

}  // namespace weft

#pragma once
// The observers of one network; those that want hops, or tails, or not the ends of messages, or boxes, are kept apart,
// so that these cost nothing for the others.

#include <vector>

namespace weft {

template <class Observer>
class ObserverList {
 public:
  void add(Observer& observer) {
    all_.push_back(&observer);
    if (observer.wants_hops()) hops_.push_back(&observer);
    if constexpr (requires { observer.wants_ends(); }) {
      if (observer.wants_ends()) ends_.push_back(&observer);
    }
    if constexpr (requires { observer.wants_boxes(); }) {
      if (observer.wants_boxes()) boxes_.push_back(&observer);
    }
  }
  /// One that is added already, and wants tails from now on.
  void add_for_tails(Observer& observer) { tails_.push_back(&observer); }
  template <class F>
  void tell(F&& f) const {
    for (Observer* o : all_) f(*o);
  }
  /// Of kinds of observers that say whether they want ends.
  template <class F>
  void tell_end(F&& f) const {
    for (Observer* o : ends_) f(*o);
  }
  /// Of kinds of observers that say whether they want the states of boxes within a node.
  bool has_boxes() const { return !boxes_.empty(); }
  template <class F>
  void tell_box(F&& f) const {
    for (Observer* o : boxes_) f(*o);
  }
  template <class F>
  void tell_hop(F&& f) const {
    for (Observer* o : hops_) f(*o);
  }
  template <class F>
  void tell_tail(F&& f) const {
    for (Observer* o : tails_) f(*o);
  }

 private:
  std::vector<Observer*> all_;
  std::vector<Observer*> ends_;
  std::vector<Observer*> boxes_;
  std::vector<Observer*> hops_;
  std::vector<Observer*> tails_;
};

}  // namespace weft

#pragma once
// The observers of one network; those that want hops are kept apart, so that hops cost nothing for the others.

#include <vector>

namespace weft {

template <class Observer>
class ObserverList {
 public:
  void add(Observer& observer) {
    all_.push_back(&observer);
    if (observer.wants_hops()) hops_.push_back(&observer);
  }
  template <class F>
  void tell(F&& f) const {
    for (Observer* o : all_) f(*o);
  }
  template <class F>
  void tell_hop(F&& f) const {
    for (Observer* o : hops_) f(*o);
  }

 private:
  std::vector<Observer*> all_;
  std::vector<Observer*> hops_;
};

}  // namespace weft

#include "fabrics/optweb/link_side.h"

#include <limits>
#include <utility>

namespace weft {

void LinkSide::make(const MakeLink& make) {
  for (std::uint32_t p = 0; p < ports(); ++p) {
    if (p != own_) links_[p] = make(p, *this);
  }
}

std::uint64_t LinkSide::passed_by(std::uint32_t port, Cycle at) const {
  if (port != own_) return links_[port]->passed_by(at);
  return own_run_.passed_by(own_run_time(at));
}

void LinkSide::begin(std::uint32_t port, const WordsBegin& leaving) {
  if (port != own_) {
    links_[port]->begin(leaving.from, *leaving.train, leaving.pace);
    return;
  }
  OptwebTrain train = *leaving.train;
  own_run_.begin(parameters_, leaving.from, train.words + 1, leaving.pace);
  train.begun = clock_.time(leaving.from);
  own_time_ = train.time;
  train.last = own_end();
  train.ended = train.last < optweb::kNever ? clock_.time(train.last) : std::numeric_limits<Picoseconds>::max();
  train.first = own_real(own_run_.first());
  words->begins(own_, std::move(train));
}

void LinkSide::turn(std::uint32_t port, Cycle now, const optweb::WordRate& pace) {
  if (port != own_) {
    links_[port]->turn(now, pace);
    return;
  }
  if (pace == own_run_.pace() || !own_run_.turn(own_run_time(now), pace)) return;
  const Cycle last = own_end();
  words->turns(own_, {now, own_run_.passed()}, own_real(own_run_.first()), last,
               last < optweb::kNever ? clock_.time(last) : 0);
}

}  // namespace weft

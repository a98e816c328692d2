#include "workload/program_agenda.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/diagnostics.h"

namespace weft {

void ProgramAgenda::join(ClockDomain& domain) {
  domain_ = &domain;
  if (ranks_ != nullptr) domain.schedule(kAsk, Phase::generate, *this, kAskAll);
}

void ProgramAgenda::plan(Cycle at, Event event) {
  std::vector<Event>& events = agenda_[at];
  if (events.empty()) domain_->schedule(at, Phase::generate, *this, kEvents);
  events.push_back(event);
}

void ProgramAgenda::begin_now(Cycle now) {
  executor_.start(now);
  check_end(now);
}

void ProgramAgenda::due(Cycle now, std::uint32_t token) {
  if (token == kAskAll) return ask_all(now);
  std::vector<Event> events = std::move(agenda_.begin()->second);
  agenda_.erase(agenda_.begin());
  std::sort(events.begin(), events.end());
  for (const Event& e : events) {
    switch (e.what) {
      case What::left:
        executor_.left(e.number, now);
        break;
      case What::arrived:
        executor_.arrived(e.number, now);
        break;
      case What::woken:
        executor_.woken(e.number, now);
        break;
      case What::start:
        executor_.start(now);
        break;
    }
  }
  check_end(now);
}

void ProgramAgenda::check_end(Cycle now) {
  last_ = now;
  if (executor_.under_way() > 0 || !agenda_.empty() || ranks_ != nullptr) return;
  end(now);
}

// All ranks, in the same cycle. What is on none of their agendas and on no way between two of them does not happen any
// more.
void ProgramAgenda::ask_all(Cycle now) {
  const std::uint64_t to_begin = last_ < 0 ? 1 : 0;  // programs that wait for circuits are on no agenda
  std::uint64_t open[] = {executor_.under_way() + to_begin, executor_.away(), agenda_.size()};
  ranks_->sum(open);
  if (open[0] != 0 || open[1] != 0) return domain_->schedule(now + kAsk, Phase::generate, *this, kAskAll);
  if (open[2] != 0) return rest(now);
  Cycle last = last_;
  for (const std::string& cycle : ranks_->gather(std::to_string(last_)))
    last = std::max<Cycle>(last, std::stoll(cycle));
  collect();
  stuck_at_ = last;
  end(last);
  stuck_at_ = -1;
}

// All nodes compute, or wait for those that do.
void ProgramAgenda::rest(Cycle now) {
  constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
  Cycle first = kNever;
  for (const std::string& theirs : ranks_->gather(std::to_string(agenda_.empty() ? kNever : agenda_.begin()->first))) {
    first = std::min<Cycle>(first, std::stoll(theirs));
  }
  ranks_->rest_until(first);
  domain_->schedule(std::max(first, now + kAsk), Phase::generate, *this, kAskAll);
}

void ProgramAgenda::collect() {
  if (std::exchange(collected_, true)) return;
  executor_.collect(ranks_->gather(executor_.state()));
}

void ProgramAgenda::end(Cycle now) {
  if (!executor_.finished()) {
    throw RunError(
        fmt::format("no further progress is possible, but programs are not over:{}", executor_.describe_blocked()));
  }
  executor_.check_over();
  finished_at_ = now;
  over_(now);
}

}  // namespace weft

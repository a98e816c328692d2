#include "workload/program_agenda.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {

void ProgramAgenda::plan(Cycle at, Event event) {
  std::vector<Event>& events = agenda_[at];
  if (events.empty()) domain_->schedule(at, Phase::generate, *this, 0);
  events.push_back(event);
}

void ProgramAgenda::begin_now(Cycle now) {
  executor_.start(now);
  check_end(now);
}

void ProgramAgenda::due(Cycle now, std::uint32_t) {
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
  if (executor_.under_way() > 0 || !agenda_.empty()) return;
  if (!executor_.finished()) {
    throw RunError(
        fmt::format("no further progress is possible, but programs are not over:{}", executor_.describe_blocked()));
  }
  executor_.check_over();
  finished_at_ = now;
  over_(now);
}

}  // namespace weft

#include "run/triggered_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <systemc>

#include "base/forked_work.h"
#include "workload/wave_trigger.h"

namespace weft {
namespace {

using Json = nlohmann::json;

// What the RTL says is said by the run that follows.
void be_quiet() {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  ::dup2(nowhere, STDOUT_FILENO);
  ::dup2(nowhere, STDERR_FILENO);
}

Json span(std::int64_t from, std::int64_t until, const std::string& text) {
  return {{"from", std::max<std::int64_t>(0, from)}, {"until", until}, {"text", text}};
}

// In the copy: the time around the event, empty if there is none.
Json search(const Plan& plan, const WaveTrigger& trigger, const RunOptions& given) {
  be_quiet();
  RunOptions options = given;
  options.interrupted = given.search_interrupted;  // no checkpoint of a copy
  options.waves.clear();
  options.folder.clear();
  options.progress = {};
  WaveTriggerWatch watch(trigger);
  const bool messages = trigger.event == WaveEvent::message;
  if (messages) {
    options.watch = &watch;
    options.interrupted = [&] { return watch.found() || (given.search_interrupted && given.search_interrupted()); };
  }
  const RunResult result = plan.run(options);
  const auto& found = watch.result();
  if (!found) {
    if (given.search_interrupted && given.search_interrupted()) return {{"interrupted", true}};
    if (result.failure.empty()) return {};
    const auto at = static_cast<std::int64_t>(sc_core::sc_time_stamp().value());
    return span(at - trigger.before.ps, kLongestTime.ps,
                fmt::format("around the failure after {}{}", to_string(Duration{at}),
                            messages ? ", before which no message fits observe.waves.trigger" : ""));
  }
  const TransferRecord& t = found->transfer;
  const Duration generated{t.generated * watch.tick().ps};
  const Duration delivered{found->arrived * watch.tick().ps};
  return span(generated.ps - trigger.before.ps, delivered.ps + watch.tick().ps + trigger.after.ps,
              "around " + watch.text(*found));
}

}  // namespace

RunResult run_with_trigger(const Plan& plan, const RunOptions& options) {
  const WaveTrigger* trigger = plan.wave_trigger();
  if (options.waves.empty() || trigger == nullptr) return plan.run(options);
  Json found;
  do {  // a run that goes on from the checkpoint that an interrupt has written searches again
    found =
        Json::parse(in_forked_copy([&] { return search(plan, *trigger, options).dump(); }, options.search_interrupted));
  } while (found.contains("interrupted") && options.interrupted && !options.interrupted());
  RunOptions shown = options;
  std::string note;
  if (found.contains("interrupted")) {
    shown.wave_span = WaveSpan{kLongestTime, kLongestTime};
    note = "the waveform is empty: the search for its time was interrupted";
  } else if (found.is_null()) {
    shown.wave_span = WaveSpan{kLongestTime, kLongestTime};
    note = trigger->event == WaveEvent::failure ? "the waveform is empty: the run does not fail"
                                                : "the waveform is empty: no message fits observe.waves.trigger";
  } else {
    shown.wave_span = WaveSpan{{found.at("from").get<std::int64_t>()}, {found.at("until").get<std::int64_t>()}};
    note = "the waveform shows the time " + found.at("text").get<std::string>();
  }
  RunResult result = plan.run(shown);
  result.waves = note;
  return result;
}

}  // namespace weft

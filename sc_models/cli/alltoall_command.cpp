// `weft alltoall`: all-to-all schedules of grids, and their check.

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>
#include "algorithms/alltoall/schedule_file.h"
#include "algorithms/alltoall/tdm_tables.h"
#include "base/diagnostics.h"
#include "cli/report/run_record.h"
#include "cli/study_options.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "observe/page/page_data.h"
#include "observe/report.h"
#include "studies/alltoall/alltoall_report.h"

namespace weft::cli {
namespace {

using alltoall::Method;

// From here on a run says how much memory it takes before it starts.
constexpr double kBytesTold = 100e6;
// Parallel links of a bundle that a network may have.
constexpr std::uint32_t kMostTabledChannels = 256;

// A search shows how far it is, and an interrupt ends it with the best schedule so far.
alltoall::ScheduleResult make(AllToAllProblem& problem, bool json) {
  if (problem.method == Method::groups) return make_schedule(problem.grid, problem.method, problem.options, false);
  catch_interrupts();
  std::atomic<bool> stop = false;
  const std::jthread watch([&](const std::stop_token& over) {
    for (; !over.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(20))) {
      if (interrupted()) stop = true;
    }
  });
  ProgressBar bar("searching");
  if (problem.method == Method::search) {
    problem.options.progress = [&](const alltoall::Progress& p) {
      const double part = std::min(1.0, p.seconds / problem.options.time_limit_s);
      if (!json) {
        bar.show(part, fmt::format("best {} slots, trying {} with {} conflicts left, bound {}", p.slots, p.trying,
                                   p.conflicts, p.lower_bound));
      }
    };
  }
  return make_schedule(problem.grid, problem.method, problem.options, stop);
}

std::string folder_name(const AllToAllProblem& p) {
  return fmt::format("alltoall_{}x{}{}{}", p.grid.width, p.grid.height, p.grid.torus ? "_torus" : "",
                     p.method == Method::groups ? "" : "_" + to_string(p.method));
}

// The slot tables of FiC-SW, when the schedule fits into a frame; channels are parallel links.
std::vector<Artifact> tables_of(const AllToAllStudy& study, ReportData& report) {
  const alltoall::Schedule& schedule = study.made.schedule;
  const std::uint32_t frame = study.plan ? study.plan->time_slots : schedule.slots;
  if (study.plan && study.plan->channels() > kMostTabledChannels) {
    report.notes.push_back(
        fmt::format("no FiC slot tables: they are written up to {} wavelengths and planes", kMostTabledChannels));
    return {};
  }
  if (frame > alltoall::kLongestFrame || schedule.grid.connections() > alltoall::kMostTabled) {
    report.notes.push_back(
        fmt::format("no FiC slot tables: they are written up to {} slots per frame and {} connections",
                    alltoall::kLongestFrame, alltoall::kMostTabled));
    return {};
  }
  alltoall::SlotTableTexts tables = alltoall::slot_table_texts(schedule, study.plan ? &*study.plan : nullptr);
  return {{"slot_tables.csv", std::move(tables.csv)}, {"slot_tables.txt", std::move(tables.text)}};
}

}  // namespace

int alltoall(const AllToAllArguments& arguments) {
  const RunRecord record;
  AllToAllProblem problem = alltoall_problem(arguments);
  const auto folder = fresh_folder(arguments.out, folder_name(problem), {kRunRecord});
  const auto start = std::chrono::steady_clock::now();
  if (const double bytes = alltoall::memory_estimate(problem.grid, problem.method).bytes; bytes >= kBytesTold) {
    say(stderr, "method {} takes up to about {} of memory\n", to_string(problem.method), bytes_text(bytes));
  }
  alltoall::ScheduleResult made = make(problem, arguments.json);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  const AllToAllStudy study = make_alltoall_study(problem, std::move(made));
  ReportData report = alltoall_report(study);
  report.configuration = arguments.options;
  std::vector<Artifact> files = tables_of(study, report);
  const bool tables = !files.empty();
  const std::vector<std::string> left_out = pictures_left_out(study);
  report.notes.insert(report.notes.end(), left_out.begin(), left_out.end());
  files.push_back({"schedule.json", alltoall_json(study)});
  files.push_back({kRunRecord, record.json(folder->path(), {})});
  std::vector<AllToAllPicture> pictures = alltoall_pictures(study);
  for (const AllToAllPicture& p : pictures) page_of(report).pictures.push_back({p.name, p.meaning, p.svg});
  for (AllToAllPicture& p : pictures) files.push_back({p.name, std::move(p.svg)});
  write_schedule(folder->path() / "schedule.csv", study.made.schedule, study.plan ? &*study.plan : nullptr);
  write_report(folder->path(), report, files);
  if (arguments.json) {
    say("{}", report_json(report));
  } else {
    say("{}\n{}", report.title, summary_text(report));
    if (problem.method == Method::search) {
      say("  {:<28} {}\n", "search moves", study.made.search_moves);
    }
    say("  {:<28} {:.2f} s\n\nresults in {}/\n", "made in", taken.count(), folder->path().string());
    say("  {:<28} open in a browser\n", "report.html");
    say("  {:<28} the schedule; check it with 'weft alltoall verify'\n", "schedule.csv, schedule.json");
    if (tables) say("  {:<28} slot tables of the FiC switches\n", "slot_tables.csv, .txt");
    for (const AllToAllPicture& p : pictures) say("  {:<28} {}\n", p.name, p.meaning);
  }
  if (study.made.stopped) {
    say(stderr, "interrupted: the best schedule until then was kept\n");
    return kInterrupted;
  }
  return kDone;
}

namespace {

struct VerifiedFile {
  alltoall::ScheduleFile file;
  alltoall::Verification result;
};

VerifiedFile verified(const std::string& path, const alltoall::Grid& grid) {
  try {
    VerifiedFile out{alltoall::read_schedule(path, grid), {}};
    out.result = alltoall::verify(out.file.schedule);
    if (out.result.ok()) return out;
    const alltoall::ScheduleFile& file = out.file;
    throw InputError({path},
                     fmt::format("{}: {}", grid_text(grid),
                                 to_string(*out.result.fault, file.schedule, file.slot_name(out.result.fault->slot))));
  } catch (const InputError&) {
    if (const auto other = alltoall::other_size(path, grid)) throw InputError({path}, *other);
    throw;
  }
}

}  // namespace

int alltoall_verify(const AllToAllArguments& arguments) {
  const alltoall::Grid grid = alltoall_grid(arguments);
  const auto [file, result] = verified(arguments.file, grid);
  if (arguments.json) {
    const nlohmann::ordered_json j{{"ok", true},
                                   {"grid", grid_text(grid)},
                                   {"connections", result.connections},
                                   {"time_slots", file.time_slots()},
                                   {"wavelengths", file.wavelengths},
                                   {"planes", file.planes},
                                   {"link_uses", result.link_uses},
                                   {"lower_bound", alltoall::lower_bounds(grid).slots()}};
    say_json(j);
    return kDone;
  }
  std::string channels;
  if (file.has_channels)
    channels =
        fmt::format(" on {} wavelengths of {} plane{}", file.wavelengths, file.planes, file.planes == 1 ? "" : "s");
  say("{}: ok\n  {}: {} connections in {} slots{}, lower bound {} slots in all\n", arguments.file, grid_text(grid),
      result.connections, file.time_slots(), channels, alltoall::lower_bounds(grid).slots());
  return kDone;
}

}  // namespace weft::cli

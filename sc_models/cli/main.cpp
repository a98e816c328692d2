#include "cli/main.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <systemc>
#include <vector>

#include "base/diagnostics.h"
#include "base/resource_need.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/command_options.h"
#include "cli/commands.h"
#include "cli/completion/command_tree.h"
#include "cli/completion/completion.h"
#include "cli/describe.h"
#include "cli/option_checks.h"
#include "cli/report/repetition.h"
#include "cli/terminal.h"
#include "parallel/mpi_ranks.h"
#include "run/load_plugin.h"

namespace {

constexpr const char* kFooter =
    "exit status: 0 done, 1 the run itself failed, 2 bad input, 130 interrupted\n"
    "colours on a terminal only; NO_COLOR=1 turns them off\n"
    "examples (more of each command: weft COMMAND --help):\n"
    "  weft new mesh --out design.yaml && weft run design.yaml\n"
    "  weft run configs/tdm/mesh_4x4.yaml --waves out/waves.fst\n"
    "  weft check configs/tdm/mesh_4x4.yaml\n"
    "  weft sweep configs/tdm/sweep_load.yaml --jobs 2\n"
    "  weft compare out/mesh_4x4 out/mesh_4x4_again\n"
    "  weft describe link.rate";

// The first word that is neither an option nor the value of one; empty when there is none.
std::string_view command_of(int argc, char** argv) {
  const std::string_view takes_value[] = {"--max-input", "--max-memory", "--plugin"};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (std::find(std::begin(takes_value), std::end(takes_value), word) != std::end(takes_value)) {
      ++i;
    } else if (!word.starts_with("-")) {
      return word;
    }
  }
  return {};
}

// What is wrong with the name of the command; empty when there is a command or no name.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  const std::string_view word = command_of(argc, argv);
  if (!app.get_subcommands().empty() || word.empty()) return "";
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands(nullptr)) commands.push_back(command->get_name());
  return fmt::format("unknown command '{}'{} (weft --help lists the commands)", word,
                     weft::did_you_mean(word, commands));
}

// What is wrong with an option that nobody knows; empty when there is none. `remaining` are words without a meaning.
std::string unknown_option(const CLI::App& app, const std::vector<std::string>& remaining) {
  const auto found = std::find_if(remaining.begin(), remaining.end(), [](const std::string& word) {
    return word.starts_with("-") && word.find_first_not_of('-') != std::string::npos;
  });
  if (found == remaining.end()) return "";
  const std::string word = found->substr(0, found->find('='));
  std::vector<std::string> options;  // without dashes, which would make all of them alike
  std::string command = app.get_name();
  for (const CLI::App* part = &app; part != nullptr;) {
    for (const CLI::Option* option : part->get_options()) {
      for (const std::string& name : option->get_lnames()) options.push_back(name);
    }
    const std::vector<CLI::App*> chosen = part->get_subcommands();
    part = chosen.empty() ? nullptr : chosen.front();
    if (part != nullptr) command += " " + part->get_name();
  }
  const auto meant = weft::closest(word.substr(word.find_first_not_of('-')), options);
  return fmt::format("unknown option '{}'{} ({} --help lists the options)", word,
                     meant ? fmt::format("; did you mean '--{}'?", *meant) : "", command);
}

bool asks_for_json(int argc, char** argv) {
  return std::any_of(argv + 1, argv + argc, [](const char* a) { return std::string_view(a) == "--json"; });
}

// Those of the command line and of the environment, which is passed on to processes that this one starts. They are
// loaded before the command line is read: its words may be theirs.
void load_plugins(int argc, char** argv, weft::Registry& registry) {
  constexpr const char* kVariable = "WEFT_PLUGINS";
  std::vector<std::string> files;
  const char* const inherited = std::getenv(kVariable);
  std::istringstream list(inherited == nullptr ? "" : inherited);
  for (std::string file; std::getline(list, file, ':');) {
    if (!file.empty()) files.push_back(file);
  }
  constexpr std::string_view kOption = "--plugin";
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == kOption && i + 1 < argc) {
      files.emplace_back(argv[++i]);
    } else if (word.starts_with(kOption) && word.substr(kOption.size()).starts_with("=")) {
      files.emplace_back(word.substr(kOption.size() + 1));
    }
  }
  std::string all;
  std::set<std::filesystem::path> loaded;  // a process that this one starts is told of them twice
  for (const std::string& file : files) {
    if (!loaded.insert(std::filesystem::weakly_canonical(file)).second) continue;
    weft::load_plugin(file, registry);
    all += (all.empty() ? "" : ":") + std::filesystem::absolute(file).string();
  }
  if (!files.empty()) setenv(kVariable, all.c_str(), 1);
}

// Says so where it is not: the disk may be full. Ranks that are silent have the failbit of std::cout on purpose.
bool is_output_written() {
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !std::cout.bad()) return true;
  std::fputs("error: standard output could not be written\n", stderr);
  return false;
}

}  // namespace

// The kernel's banner goes to standard error where it disturbs nobody's output, but nobody wants it either.
[[gnu::constructor]] static void no_banner() { setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0); }

namespace weft::cli {

int main(int argc, char** argv, const Registry& given) {
  std::unique_ptr<Ranks> ranks;
  const int joined = guarded(asks_for_json(argc, argv), [&] {
    if (command_of(argc, argv) != "run") {
      leave_mpi_job();
      return kDone;
    }
    ranks = join_mpi_job();
    if (ranks && ranks->rank() != 0) be_silent();
    return kDone;
  });
  if (joined != kDone) return joined;
  Registry registry = given;
  CLI::App app{"Weft: cycle-accurate interconnect models with RTL in the loop", "weft"};
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("weft {}", weft::kVersion));
  app.footer(kFooter);
  app.fallthrough();  // options of the program may stand behind the command
  std::string max_input;
  app.add_option("--max-input", max_input, "largest file that is read (default: 512MiB)")
      ->envname(kMaxInputVariable)
      ->type_name("SIZE");
  std::string max_memory;
  app.add_option("--max-memory", max_memory, "memory that may be used (default: that of the machine, 2GiB for a check)")
      ->envname(kMaxMemoryVariable)
      ->type_name("SIZE");
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("error: {}\nRun with --help for more information.\n", weft::printable_lines(e.what()));
  });

  std::vector<std::string> plugins;
  app.add_option("--plugin", plugins,
                 "shared object with RTL blocks or families of its own (may be given more than once)")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const int loaded = guarded(asks_for_json(argc, argv), [&] {
    load_plugins(argc, argv, registry);
    return kDone;
  });
  if (loaded != kDone) return loaded;

  bool quiet = false;
  app.add_flag("--quiet", quiet, "no summary and no progress; errors, warnings and --json are printed");

  RunArguments run_arguments;
  CLI::App* run_command = app.add_subcommand("run", "run a configuration, or a report again, and write its report");
  add_run(*run_command, run_arguments);
  RunArguments check_arguments;
  CLI::App* check_command = app.add_subcommand("check", "check a configuration without running it");
  add_check(*check_command, check_arguments);
  SweepArguments sweep_arguments;
  CLI::App* sweep_command = app.add_subcommand("sweep", "run a configuration at many points, with several seeds");
  add_sweep(*sweep_command, sweep_arguments);
  CompareArguments compare_arguments;
  CLI::App* compare_command = app.add_subcommand("compare", "differences of reports: configurations and figures");
  add_compare(*compare_command, compare_arguments);
  NewArguments new_arguments;
  CLI::App* new_command = app.add_subcommand("new", "write a short configuration to begin with");
  add_new(*new_command, new_arguments);
  DtableArguments dtable_arguments;
  CLI::App* dtable_command =
      app.add_subcommand("dtable", "configure an arbitration table from bandwidth shares and distances");
  add_dtable(*dtable_command, dtable_arguments);
  DltArguments dlt_arguments;
  CLI::App* dlt_command = app.add_subcommand("dlt", "divisible load: shares, finish times and speedup on a network");
  add_dlt(*dlt_command, dlt_arguments);
  SlotsArguments slots_arguments;
  CLI::App* slots_command = app.add_subcommand("slots", "slot counts and slot tables for a pattern on a network");
  add_slots(*slots_command, slots_arguments);
  AllToAllArguments alltoall_arguments;
  AllToAllArguments verify_arguments;
  CLI::App* alltoall_command =
      app.add_subcommand("alltoall", "all-to-all schedule of a grid: slots, wavelengths, planes");
  add_alltoall(*alltoall_command, alltoall_arguments);
  CLI::App* verify_command = alltoall_command->add_subcommand(
      "verify", "check a schedule; its grid is read from schedule.json beside it unless options give it");
  add_alltoall_verify(*verify_command, verify_arguments);
  ScheduleArguments schedule_arguments;
  CLI::App* schedule_command = app.add_subcommand("schedule", "circuit-switched jobs from a workload file");
  add_schedule(*schedule_command, schedule_arguments);
  WorkloadArguments workload_arguments;
  CLI::App* workload_command = app.add_subcommand("workload", "write a workload file: generated, or converted");
  add_workload(*workload_command, workload_arguments);
  CLI::App* optweb_command = app.add_subcommand("optweb", "the OPTWEB fully connected optical network");
  optweb_command->require_subcommand(1);
  OptwebCostArguments cost_arguments;
  CLI::App* cost_command = optweb_command->add_subcommand("cost", "cost per Gb/s, fibres, sizes of dragonflies");
  add_optweb_cost(*cost_command, cost_arguments);
  optweb_command->footer(cost_command->get_footer());
  DescribeArguments describe_arguments;
  CLI::App* describe_command =
      app.add_subcommand("describe", "every configuration key with type, unit, default, range");
  add_describe(*describe_command, describe_arguments, [&] { return weft::schema_kinds(registry); });
  std::string shell;
  CLI::App* completion_command =
      app.add_subcommand("completion", "print the completion of commands, options and keys for a shell");
  add_completion(*completion_command, shell);
  bool version_json = false;
  CLI::App* version_command = app.add_subcommand("version", "version of the program");
  bool version_verbose = false;
  add_version(*version_command, version_json, version_verbose);

  const bool json = asks_for_json(argc, argv);
  bool help = false;
  const int parsed = guarded(json, [&] {
    try {
      app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
      if (e.get_exit_code() != 0) {
        std::string unknown = unknown_command(app, argc, argv);
        if (unknown.empty()) unknown = unknown_option(app, app.remaining(true));
        if (!unknown.empty()) throw InputError({"command line"}, unknown);
      }
      help = app.exit(e) == 0;
      if (help) return kDone;
      if (json) print_usage_error(e.what());
      return kBadInput;
    }
    return kDone;
  });
  if (help) return is_output_written() ? kDone : kRunFailed;
  if (parsed != kDone) return parsed;
  const int limited = guarded(json, [&] {
    set_limits(max_input, max_memory);
    tell_memory_needs([](const std::string& text) { say(stderr, "note: {}\n", text); });
    return kDone;
  });
  if (limited != kDone) return limited;
  // Commands whose whole result is on standard output have no summary to leave out.
  const CLI::App* const printing[] = {describe_command, completion_command, version_command, workload_command,
                                      new_command};
  const bool prints =
      std::any_of(std::begin(printing), std::end(printing), [](const CLI::App* c) { return c->parsed(); });
  if (quiet && !json && !prints) be_quiet();
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  if (*run_command && ranks == nullptr) {
    std::optional<std::vector<std::string>> words;
    const int known = guarded(json, [&] {
      words = repetition(run_arguments);
      return kDone;
    });
    if (known != kDone) return known;
    if (words) {
      words->insert(words->begin(), argv[0]);
      if (quiet) words->emplace_back("--quiet");
      std::vector<char*> again;
      for (std::string& word : *words) again.push_back(word.data());
      again.push_back(nullptr);
      return main(static_cast<int>(words->size()), again.data(), given);
    }
  }
  const auto command = [&] {
    if (*run_command) return guarded(run_arguments.json, [&] { return run(run_arguments, registry, ranks.get()); });
    if (*check_command) return guarded(check_arguments.json, [&] { return check(check_arguments, registry); });
    if (*dtable_command) return guarded(dtable_arguments.json, [&] { return dtable(dtable_arguments); });
    if (*sweep_command) return guarded(sweep_arguments.json, [&] { return sweep(sweep_arguments, registry); });
    // Reports of studies hold the options that they were made with.
    const auto study = [](const CLI::App& chosen, auto& arguments, const auto& make) {
      arguments.options = options_in_force(chosen);
      return guarded(arguments.json, [&] { return make(arguments); });
    };
    if (*dlt_command) {
      return study(*dlt_command, dlt_arguments, [&](const DltArguments& a) { return dlt(a, registry); });
    }
    if (*slots_command) return study(*slots_command, slots_arguments, slots);
    if (*verify_command) {
      return guarded(verify_arguments.json, [&] {
        for (const CLI::Option* o : alltoall_command->get_options()) {
          if (o->count() == 0) continue;
          throw InputError({o->get_name()}, "stands before 'verify', which has options of its own, behind it");
        }
        return alltoall_verify(verify_arguments);
      });
    }
    if (*alltoall_command) return study(*alltoall_command, alltoall_arguments, alltoall);
    if (*schedule_command) return study(*schedule_command, schedule_arguments, schedule);
    if (*workload_command) return guarded(false, [&] { return workload(workload_arguments); });
    if (*cost_command) return guarded(cost_arguments.json, [&] { return optweb_cost(cost_arguments); });
    if (*compare_command) return guarded(compare_arguments.json, [&] { return compare(compare_arguments, registry); });
    if (*new_command) return guarded(false, [&] { return new_config(new_arguments); });
    if (*describe_command) {
      return guarded(describe_arguments.json, [&] { return describe(registry, describe_arguments); });
    }
    if (*completion_command) {
      return guarded(false, [&] {
        say("{}", completion_script(shell, command_tree(app), configuration_keys(registry)));
        return kDone;
      });
    }
    return guarded(version_json, [&] { return version(version_json, version_verbose); });
  };
  const int status = command();
  if (!is_output_written()) return kRunFailed;
  return ranks && ranks->rank() != 0 ? kDone : status;
}

}  // namespace weft::cli

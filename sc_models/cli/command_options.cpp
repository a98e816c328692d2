#include "cli/command_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <set>

#include "cli/option_checks.h"
#include "cli/option_parts.h"
#include "cli/templates/templates.h"

namespace weft::cli {

void add_sweep(CLI::App& c, SweepArguments& a) {
  c.add_option("file", a.file, "sweep file (YAML)")->required();
  c.add_option("--set", a.set, "override a key of the sweep file: --set seeds=3 (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_out(c, a.out, "folder for the results (default: out/<sweep file>)");
  CLI::Option* jobs =
      c.add_option("--jobs", a.jobs, "runs at a time (default: one per core)")->check(whole_number("--jobs", 1, 1024));
  CLI::Option* memory = c.add_option("--memory", a.memory,
                                     "memory that a run may allocate (default: no limit); one that needs more fails")
                            ->type_name("SIZE");
  CLI::Option* nice = c.add_option("--nice", a.nice, "niceness of the runs, added to that of this command")
                          ->check(whole_number("--nice", 0, 19));
  c.add_flag("--quick", a.quick, "fewer points and seeds, as the section 'quick' of the file says");
  CLI::Option* only = c.add_flag("--export-only", a.export_only, "run nothing, write the outputs from stored runs");
  CLI::Option* fresh = c.add_flag("--fresh", a.fresh, "forget stored results and run everything again")->excludes(only);
  CLI::Option* shard =
      c.add_option("--shard", a.shard, "run only part i of N of the runs, as 3/8, in a folder of its own")
          ->type_name("i/N")
          ->excludes(only);
  CLI::Option* merge =
      c.add_option("--merge", a.merge, "run nothing, join what shards have stored in these folders, write the outputs")
          ->type_name("FOLDER")
          ->excludes(only)
          ->excludes(fresh)
          ->excludes(shard);
  for (CLI::Option* of_runs : {jobs, memory, nice}) {  // of which these have none
    only->excludes(of_runs);
    merge->excludes(of_runs);
  }
  CLI::Option* launcher = choose(c.add_option("--launcher", a.launcher,
                                              "scheduler that runs the parts: slurm (a job array) or mpi (mpirun)"),
                                 {"slurm", "mpi"})
                              ->excludes(only)
                              ->excludes(shard)
                              ->excludes("--merge");
  CLI::Option* workers = c.add_option("--workers", a.workers, "parts into which a launched sweep is divided")
                             ->check(whole_number("--workers", 1, 100'000));
  launcher->needs(workers);
  workers->needs(launcher);
  c.add_option("--launcher-args", a.launcher_args,
               "options for sbatch or mpirun, as '--partition=long --time=2:00:00' (may be repeated)")
      ->type_name("OPTIONS")
      ->allow_extra_args(false)
      ->needs(launcher);
  add_json(c, a.json);
  examples(c, {"weft sweep configs/tdm/sweep_load.yaml --jobs 2", "weft sweep configs/tdm/sweep_load.yaml --quick",
               "weft sweep sweep.yaml --jobs 8 --memory 2GiB --nice 10    # beside other work",
               "weft sweep sweep.yaml --shard 3/8      # the third of eight parts, on any machine",
               "weft sweep sweep.yaml --merge out/sweep_shard_*_of_8    # their tables and plots",
               "weft sweep sweep.yaml --launcher slurm --workers 16 --launcher-args '--time=2:00:00'",
               "weft sweep sweep.yaml --export-only    # tables and plots again, from stored runs",
               "weft sweep out/sweep_load              # a sweep again, from its report"});
}

void add_run(CLI::App& c, RunArguments& a) {
  add_config(c, a);
  add_out(c, a.out, "folder for the results (default: out/<configuration>)");
  CLI::Option* waves =
      c.add_option("--waves", a.waves,
                   "write a waveform (FILE.fst) with model and RTL signals; its folder is created if necessary")
          ->check(not_empty);
  CLI::Option* files = c.add_flag("--no-files", a.no_files, "write no files; with --json the report alone is printed")
                           ->needs("--json")
                           ->excludes(waves)
                           ->excludes("--out")
                           ->excludes("--overwrite");
  c.add_option(
       "--checkpoint-every", a.checkpoint_every,
       "write a checkpoint into the folder of results every so often (90s, 10min, 2h), and before Ctrl-C ends it")
      ->type_name("TIME")
      ->excludes(files);
  CLI::Option* resume =
      c.add_option("--resume", a.resume, "go on with the run whose checkpoint is in this folder of results")
          ->check(not_empty)
          ->type_name("FOLDER");
  for (CLI::Option* other : c.get_options()) {
    if (other != resume && other->get_name() != "--help") resume->excludes(other);
  }
  c.get_option("config")->required(false);
  examples(c, {"weft run configs/tdm/mesh_4x4.yaml --waves out/waves.fst",
               "weft run configs/tdm/mesh_4x4.yaml --set switch.slots=16 --set pattern=tornado",
               "weft run configs/packet/first.yaml --seed 7 --out out/seed_7",
               "weft run out/mesh_4x4                 # again, from its report",
               "weft run configs/packet/first.yaml --json --no-files > report.json",
               "weft run long.yaml --out out/long --checkpoint-every 10min",
               "weft run --resume out/long            # after Ctrl-C, a crash of the machine or a time limit"});
}

void add_check(CLI::App& c, RunArguments& a) {
  add_config(c, a);
  c.add_option("--max-time", a.max_time, "seconds of processor time that the check may take")
      ->check(number("--max-time", 0.1, 1e9))
      ->type_name("SECONDS")
      ->capture_default_str();
  add_out(c, a.out, "folder for predictions and slot tables (default: none written)")->needs("--out");
  examples(c, {"weft check configs/tdm/mesh_4x4.yaml", "weft check configs/tdm/mesh_4x4.yaml --out out/predictions",
               "weft check configs/workloads/ft_16.yaml     # programs",
               "weft check configs/tdm/sweep_load.yaml      # a sweep and all its points"});
}

void add_new(CLI::App& c, NewArguments& a) {
  std::string kinds;
  std::vector<std::string> words;
  for (const ConfigTemplate& t : config_templates()) {
    kinds += fmt::format("\n{}: {}", t.name, t.meaning);
    words.emplace_back(t.name);
  }
  suggest(c.add_option("kind", a.kind, "kind of configuration:" + kinds)->required(), words);
  c.add_option("--out", a.out, "file (default: standard output); a sweep also gets the configuration it varies")
      ->check(not_empty);
  c.add_flag("--force", a.force, "replace an existing file")->needs("--out");
  examples(c, {"weft new mesh                    # on standard output",
               "weft new fic --out design.yaml && weft run design.yaml",
               "weft new sweep --out sweep.yaml && weft sweep sweep.yaml"});
}

void add_compare(CLI::App& c, CompareArguments& a) {
  c.add_option("reports", a.reports, "reports: folders of results, or their report.json; differences are to the first")
      ->required();
  add_json(c, a.json);
  add_out(c, a.out, "folder for compare.html, compare.md and compare.json (default: none written)")->needs("--out");
  c.add_option("--html", a.html, "the page alone, as this file")->check(not_empty);
  examples(c, {"weft compare out/slots_8 out/slots_16", "weft compare out/a out/b out/c --out out/comparison",
               "weft compare out/optweb/ft_16 out/packet/ft_torus_16 out/tdm/ft_16   # a program on several networks"});
}

void add_describe(CLI::App& c, DescribeArguments& a, const std::function<std::vector<std::string>()>& kinds) {
  CLI::Option* only_key =
      c.add_option("key", a.key, "one key or section, with all its places: link.rate, rate, setup")->check(not_empty);
  CLI::Option* as_pages =
      c.add_option("--pages", a.pages, "pages in Markdown, written into a folder (configs/README.md)")
          ->check(not_empty)
          ->type_name("FOLDER");
  CLI::Option* as_json = c.add_flag("--json", a.json, "as JSON")->excludes(as_pages);
  only_key->excludes(as_pages)->excludes(as_json);
  choose(
      c.add_option("--json-schema", a.schema, "JSON Schema for editors: of any file, or of one kind (docs/editors.md)")
          ->expected(0, 1)
          ->default_str("any"),
      kinds)
      ->type_name("KIND")
      ->excludes(as_pages)
      ->excludes(as_json)
      ->excludes(only_key);
  examples(c, {"weft describe link.rate", "weft describe setup | less",
               "weft describe --json-schema packet > packet.schema.json"});
}

void add_completion(CLI::App& c, std::string& shell) {
  choose(c.add_option("shell", shell, "bash, zsh or fish")->required(), {"bash", "zsh", "fish"});
  examples(c, {"source <(weft completion bash)", "weft completion zsh > ~/.zfunc/_weft",
               "weft completion fish > ~/.config/fish/completions/weft.fish"});
}

void add_version(CLI::App& c, bool& json, bool& verbose) {
  c.add_flag("--json", json, "as JSON");
  c.add_flag("--verbose", verbose, "with the compiler and the packages it was built with");
  examples(c, {"weft version", "weft version --verbose"});
}

OptionsInForce options_in_force(const CLI::App& command) {
  const std::set<std::string> outputs{"help", "json", "out", "overwrite"};
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  nlohmann::ordered_json origins = nlohmann::ordered_json::object();
  std::vector<std::string> words{command.get_name()};  // inputs first
  for (const CLI::Option* option : command.get_options()) {
    const bool is_input = option->get_lnames().empty();
    const std::string name = is_input ? option->get_name() : option->get_lnames().front();
    const bool given = option->count() > 0;
    if (given && !outputs.contains(name)) {
      for (const std::string& value : option->results()) {
        if (is_input) {
          words.insert(words.begin() + 1, value);
          continue;
        }
        words.push_back("--" + name);
        if (option->get_items_expected_max() > 0) words.push_back(value);
      }
    }
    if (outputs.contains(name) || (!given && option->get_default_str().empty())) continue;
    values[name] = given ? fmt::format("{}", fmt::join(option->results(), " ")) : option->get_default_str();
    origins[name] = given ? "command line" : "default";
  }
  return std::make_shared<nlohmann::ordered_json>(nlohmann::ordered_json{
      {"values", std::move(values)}, {"origins", std::move(origins)}, {"command", std::move(words)}});
}

}  // namespace weft::cli

#pragma once
// Arguments of the commands of the `weft` program, as the command line has them.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace weft::cli {

/// Options of a command with their origins, as its report holds them.
using OptionsInForce = std::shared_ptr<const nlohmann::ordered_json>;

/// Output folder of a command.
struct OutArguments {
  std::string path;        ///< a folder, of `weft workload` a file; empty: the command's default
  bool overwrite = false;  ///< files that Weft has not written may be replaced
};

struct RunArguments {
  std::string config;
  std::vector<std::string> set;
  std::optional<std::string> seed;  ///< checked like the key `seed`
  OutArguments out;                 ///< empty: out/ and the name of the configuration
  std::string waves;                ///< empty: none
  std::string checkpoint_every;     ///< time on the clock; empty: no checkpoints
  std::string resume;               ///< folder of the run that goes on; empty: none
  bool no_files = false;            ///< the report on standard output and nothing else
  double max_time = 20;             ///< check: seconds that a step of the plan may take
  bool json = false;
};

struct NewArguments {
  std::string kind;
  std::string out;  ///< file; empty: standard output
  bool force = false;
};

struct CompareArguments {
  std::vector<std::string> reports;  ///< files, or folders that hold one
  OutArguments out;                  ///< empty: no files
  std::string html;                  ///< file of the page alone; empty: none
  bool json = false;
};

struct DtableArguments {
  std::string requirements;
  std::vector<std::string> set;
  OutArguments out;                ///< empty: out/ and the name of the file
  std::string method = "optimal";  ///< or paper
  bool json = false;
};

struct SweepArguments {
  std::string file;
  std::vector<std::string> set;
  OutArguments out;      ///< empty: out/ and the name of the sweep file, with _quick for a quick sweep and the shard
  std::size_t jobs = 0;  ///< processes at a time; 0: one per core
  std::string memory;    ///< "2GiB": most that a run may allocate; empty: no limit
  int nice = 0;          ///< added to the niceness of the runs
  bool quick = false;
  bool export_only = false;
  bool fresh = false;       ///< forget stored results
  std::string shard;        ///< "3/8": only this part of the runs; empty: all
  std::string launcher;     ///< scheduler that runs the parts; empty: all runs are processes of this command
  std::size_t workers = 0;  ///< of the launcher: parts
  std::vector<std::string> launcher_args;  ///< for the scheduler, several words each
  std::vector<std::string> merge;          ///< folders (or databases) of shards to be joined; nothing is run then
  bool json = false;
};

struct OptwebCostArguments {
  std::string file;  ///< empty: the paper's prices
  std::vector<std::string> set;
  OutArguments out;  ///< empty: out/optweb_cost
  bool json = false;
};

struct DltArguments {
  std::string config;  ///< a file, or the following options
  std::vector<std::string> set;
  std::string topology;
  std::string dims;
  std::vector<std::string> inject;
  std::string sigma;
  std::string switching;
  std::string routes;
  std::string run;  ///< these four are keys of the section `run`
  std::string load;
  std::string rounds;
  std::string results;
  OutArguments out;  ///< empty: out/ and the name of the configuration, or out/dlt
  bool json = false;
  OptionsInForce options;
};

/// A network by the options of the command line; they have the names of the configuration keys.
struct NetworkArguments {
  std::string topology;                     ///< empty: mesh
  std::map<std::string, std::string> keys;  ///< of `topology`, by name; empty: not given
  std::string order;
};

struct SlotsArguments {
  bool table1 = false;  ///< else the network and the pattern
  NetworkArguments network;
  std::string pattern;
  std::string allocator;  ///< empty or `all`, or a list of names
  std::string seed;
  std::string seeds;  ///< draws of a random pattern
  std::string search_iterations;
  OutArguments out;  ///< empty: out/slots, or out/table1
  bool json = false;
  OptionsInForce options;
};

struct AllToAllArguments {
  std::string file;  ///< verify: the schedule
  std::string n;     ///< the sizes as written, for messages about what cannot be read
  std::string dims;
  bool torus = false;
  std::string order;  ///< empty: xy, or what schedule.json says
  std::string method = "groups";
  std::string search_moves;  ///< empty: not given
  std::string slot_time;     ///< empty: not given
  std::string wavelengths;   ///< empty: not given
  std::string planes;
  std::string time_slots;
  std::optional<std::string> seed;
  std::optional<double> time_limit;  ///< seconds
  OutArguments out;                  ///< empty: out/alltoall_ and the sides, as 8x8
  bool json = false;
  OptionsInForce options;
};

struct DescribeArguments {
  std::string key;    ///< one key or section; empty: all
  std::string pages;  ///< folder that the pages of all keys are written into
  bool json = false;
  std::string schema;  ///< kind of document whose JSON Schema is printed; empty: none
};

/// Options of reading a workload file.
struct WorkloadReading {
  std::string format = "auto";            ///< workload, circuits or swf
  std::string pattern = "ring";           ///< communication of jobs that name none
  std::uint32_t processors_per_node = 1;  ///< swf
  std::int64_t run_time = 1;              ///< circuits
  std::set<std::string> given;            ///< options of these that stand on the command line
};

struct ScheduleArguments {
  std::string workload;
  WorkloadReading reading;
  NetworkArguments network;
  std::uint32_t slots = 8;
  std::string policy = "fcfs";  ///< or all
  std::string nodes_policy = "first_fit";
  std::string allocator = "first_fit";
  std::uint32_t slots_per_flow = 1;
  std::string queues = "one";
  std::int64_t reconfiguration = 0;
  std::uint64_t seed = 1;
  std::int64_t slowdown_bound = 10;
  std::string detail = "auto";
  bool run = false;                      ///< replay on the network; the rest of it:
  std::string time_unit = "100us";       ///< of the workload
  std::string replay_slots = "planned";  ///< or chosen
  std::vector<std::string> set;
  OutArguments out;  ///< empty: out/ and the name of the workload
  bool json = false;
  OptionsInForce options;
};

struct WorkloadArguments {
  std::string file;  ///< to convert; or
  std::uint32_t generate = 0;
  WorkloadReading reading;
  std::uint64_t seed = 1;
  std::vector<std::uint32_t> sizes{1, 2, 4, 8, 16};
  double mean_interarrival = 15;
  double mean_run = 30;
  OutArguments out;  ///< empty: standard output
};

}  // namespace weft::cli

#include "sweep/launch/launcher.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <csignal>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/child_process.h"
#include "base/diagnostics.h"

namespace weft {
namespace {

std::string without_line_ends(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string what_it_said(const ChildResult& result) {
  const std::string text = without_line_ends(result.err.empty() ? result.out : result.err);
  return text.empty() ? fmt::format("it ended with status {}", result.status) : text;
}

// A job array: one task of the array is a worker.
class Slurm : public Launcher {
 public:
  std::string task(const std::vector<std::size_t>&) const override { return "task=$SLURM_ARRAY_TASK_ID"; }
  std::string cores() const override { return "${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}"; }
  bool outlives() const override { return true; }

  std::string submit(const WorkerJob& job) override {
    ChildCommand command{{"sbatch", "--parsable", "--job-name", job.name, "--array", ranges_text(job.tasks), "--output",
                          job.log, "--nodes", "1", "--ntasks", "1"},
                         {},
                         {}};
    if (job.cores > 0)
      command.arguments.insert(command.arguments.end(), {"--cpus-per-task", std::to_string(job.cores)});
    command.arguments.insert(command.arguments.end(), job.arguments.begin(), job.arguments.end());
    command.arguments.push_back(job.script);
    const ChildResult result = run_child(command);
    // The number of the job, and behind a semicolon the cluster if there are several.
    const std::string id = without_line_ends(result.out.substr(0, result.out.find(';')));
    if (result.status != 0 || id.empty() || id.find_first_not_of("0123456789") != std::string::npos) {
      throw RunError(fmt::format("sbatch: the job was not taken: {}", what_it_said(result)));
    }
    return id;
  }

  std::optional<JobState> state(const std::string& job) override {
    const ChildResult result =
        run_child({{"squeue", "--noheader", "--array", "--jobs", job, "--format", "%T"}, {}, {}});
    if (result.status != 0) {
      said_ = what_it_said(result);
      const bool is_forgotten = said_.find("Invalid job id") != std::string::npos;  // it ended some time ago
      if (!is_forgotten) return std::nullopt;
      said_.clear();
      return JobState{};
    }
    said_.clear();
    JobState out;
    std::istringstream lines(result.out);
    for (std::string state; lines >> state;) {
      const bool is_waiting = state == "PENDING" || state == "CONFIGURING" || state == "REQUEUED";
      const bool is_over = state == "COMPLETED" || state == "CANCELLED" || state == "FAILED" || state == "TIMEOUT" ||
                           state == "NODE_FAIL" || state == "OUT_OF_MEMORY" || state == "PREEMPTED" ||
                           state == "BOOT_FAIL" || state == "DEADLINE";
      out.waiting += is_waiting ? 1 : 0;
      out.running += is_waiting || is_over ? 0 : 1;
    }
    return out;
  }

  void cancel(const std::string& job) override { run_child({{"scancel", job}, {}, {}}); }
};

// The ranks of one mpirun, which need not know MPI. It is a child of this process and ends with it.
class Mpi : public Launcher {
 public:
  std::string task(const std::vector<std::size_t>& tasks) const override {
    return fmt::format(
        "rank=${{OMPI_COMM_WORLD_RANK:-${{PMI_RANK:-${{PMIX_RANK:?this is no rank of mpirun}}}}}}\n"
        "set -- {}\nshift \"$rank\"\ntask=$1",
        fmt::join(tasks, " "));
  }
  // An mpirun that is killed leaves its ranks behind, which would hold their folders.
  std::string runner() const override { return "with_parent "; }
  std::string functions() const override {
    return "with_parent() {\n"
           "  worker=\n"
           "  trap 'test -z \"$worker\" || kill \"$worker\" 2>/dev/null' TERM INT HUP\n"
           "  \"$@\" &\n"
           "  worker=$!\n"
           "  (while [ \"$(cut -d ' ' -f 4 \"/proc/$$/stat\")\" = \"$PPID\" ]; do sleep 0.5; done\n"
           "   kill \"$worker\") >/dev/null 2>&1 &\n"
           "  guard=$!\n"
           "  until wait \"$worker\"; status=$?; ! kill -0 \"$worker\" 2>/dev/null; do :; done\n"
           "  kill \"$guard\" 2>/dev/null\n"
           "  wait \"$guard\" 2>/dev/null\n"
           "  return \"$status\"\n"
           "}\n";
  }
  // mpirun binds a rank to some cores, which nproc counts.
  std::string cores() const override { return "$(nproc)"; }
  bool outlives() const override { return false; }

  std::string submit(const WorkerJob& job) override {
    ChildCommand command{{"mpirun", "-n", std::to_string(job.tasks.size())}, {}, {}};
    command.arguments.insert(command.arguments.end(), job.arguments.begin(), job.arguments.end());
    command.arguments.insert(command.arguments.end(), {"sh", job.script});
    tasks_ = job.tasks.size();
    pool_.start(0, command);
    return "mpirun";
  }

  std::optional<JobState> state(const std::string&) override {
    if (const auto finished = pool_.wait(std::chrono::milliseconds(0))) {
      if (finished->result.status != 0) said_ = what_it_said(finished->result);
    }
    return JobState{0, pool_.running() > 0 ? tasks_ : 0};
  }

  void cancel(const std::string&) override { pool_.signal(SIGTERM); }

 private:
  ChildPool pool_;
  std::size_t tasks_ = 0;
};

}  // namespace

std::unique_ptr<Launcher> make_launcher(LauncherKind kind) {
  if (kind == LauncherKind::slurm) return std::make_unique<Slurm>();
  return std::make_unique<Mpi>();
}

std::vector<std::string> shell_words(const std::string& text) {
  std::vector<std::string> out;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) out.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (quote != 0) throw std::invalid_argument(fmt::format("the quote {} has no end", quote));
  if (inside) out.push_back(std::move(word));
  return out;
}

std::string ranges_text(const std::vector<std::size_t>& sorted) {
  std::string out;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ",", sorted[i]);
    if (last > i) out += fmt::format("-{}", sorted[last]);
    i = last + 1;
  }
  return out;
}

}  // namespace weft

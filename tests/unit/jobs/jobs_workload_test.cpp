// Workload files: what they mean, and everything that can be wrong with them.

#include <random>

#include "algorithms/jobs/job.h"
#include "algorithms/jobs/workload.h"
#include "support/scratch.h"
#include "unit/jobs/jobs_support.h"

namespace weft::test {
namespace {

using jobs::Job;
using jobs::JobList;
using jobs::LogicalPair;
using jobs::Workload;
using jobs::WorkloadFormat;
using jobs::WorkloadOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<Job> all_of(Workload& workload) {
  std::vector<Job> list;
  for (Job job; workload.source->next(job);) list.push_back(job);
  return list;
}

/// The jobs of a file with this content, and the notes on it.
struct Read {
  explicit Read(const std::string& text, WorkloadOptions options = {}, const std::string& name = "jobs.txt") {
    const ScratchFolder folder;
    Workload workload = jobs::open_workload(folder.write(name, text), options);
    format = workload.format;
    count = workload.jobs;
    notes = workload.notes;
    list = all_of(workload);
  }
  WorkloadFormat format;
  std::uint64_t count;
  std::vector<std::string> notes;
  std::vector<Job> list;
};

std::string error_of(const std::string& text, const std::string& name = "jobs.txt", WorkloadOptions options = {}) {
  const ScratchFolder folder;
  try {
    Workload workload = jobs::open_workload(folder.write(name, text), options);
    for (Job job; workload.source->next(job);) {
    }
  } catch (const InputError& e) {
    std::string out;
    for (const Diagnostic& d : e.list()) {
      out += fmt::format("{}:{}: {}\n", d.where.line, d.where.column, d.message);
    }
    return out;
  }
  return "no error";
}

jobs::JobPattern ring() {
  return [](std::uint32_t n, RandomStream&) { return jobs::flows_of(jobs::job_patterns()[1].pairs(n), false); };
}

TEST(WorkloadFile, PairsOfOneJobStandOnSeveralLines) {
  const Read r(
      "# comment\n"
      "0 10 4  0 1  a 7\n"
      "0 10 4  0 2  a 7   # multicast\n"
      "\n"
      "5\t3 2 1 0 0 x\r\n"
      "0 10 4  3 2  b 7");
  EXPECT_EQ(r.format, WorkloadFormat::workload);
  ASSERT_EQ(r.list.size(), 2u);
  const Job& job = r.list[0];
  EXPECT_EQ(job.id, "7");
  EXPECT_EQ(std::tuple(job.submit, job.run, job.nodes), (std::tuple(0, 10, 4u)));
  ASSERT_EQ(job.flows.size(), 2u);
  EXPECT_EQ(job.flows[0].id, "a");
  EXPECT_THAT(job.flows[0].pairs, ElementsAre(LogicalPair(0, 1), LogicalPair(0, 2)));
  EXPECT_THAT(job.flows[1].pairs, ElementsAre(LogicalPair(3, 2)));
  EXPECT_EQ(job.flows[1].first_pair, 2u);
  EXPECT_EQ(r.list[1].flows[0].first_pair, 3u);
  EXPECT_THAT(r.notes, IsEmpty());
}

TEST(WorkloadFile, JobsWithoutCommunication) {
  const Read r("0 5 1 - - - a\n1 5 2 1 1 0 b\n1 5 2 0 1 0 b\n");
  ASSERT_EQ(r.list.size(), 2u);
  EXPECT_THAT(r.list[0].flows, IsEmpty());
  EXPECT_THAT(r.list[1].flows[0].pairs, ElementsAre(LogicalPair(0, 1)));
  EXPECT_THAT(r.notes, ElementsAre("1 pairs of a node with itself send nothing"));
}

TEST(WorkloadFile, UnsortedIsSortedAndNoted) {
  const Read r("9 5 1 - - - late\n2 5 1 - - - early\n2 6 1 - - - second\n");
  ASSERT_EQ(r.list.size(), 3u);
  EXPECT_EQ(r.list[0].id, "early");
  EXPECT_EQ(r.list[1].id, "second");
  EXPECT_EQ(r.list[2].id, "late");
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_THAT(r.notes[0], HasSubstr("not in the order of their submit times; they were sorted"));
}

TEST(WorkloadFile, AllErrorsAtOnceWithTheirPlaces) {
  EXPECT_EQ(
      error_of("0 5 4 0 1 0\n"
               "-1 5 4 0 1 0 a\n"
               "0 0 4 0 1 0 b\n"
               "0 5 0 0 1 0 c\n"
               "0 5 4 0 4 0 d\n"
               "0 5 4 x - 0 e\n"
               "0 5 4 0 1 0 f\n"
               "0 6 4 0 2 0 f\n"
               "0 5 4 0 1 0 f\n"
               "0 5 4 0 1 0 g h\n"
               "1e3 5.5 4 0 1 0 i\n"),
      "1:11: expected 7 fields 'submit_time run_time node_num source destination flow_id job_id', got 6\n"
      "2:1: submit_time: expected a whole number from 0 to 1000000000000, got '-1'\n"
      "3:3: run_time: expected a whole number from 1 to 1000000000000, got '0'\n"
      "4:5: node_num: expected a whole number from 1 to 1000000, got '0'\n"
      "5:9: destination: expected a node of the job, 0 to 3 (or '- -' for no communication), got '4'\n"
      "6:7: source: expected a node of the job, 0 to 3 (or '- -' for no communication), got 'x'\n"
      "6:9: destination: expected a node of the job, 0 to 3 (or '- -' for no communication), got '-'\n"
      "8:1: job 'f' stands in line 7 with submit_time 0, run_time 5, node_num 4; expected the same here, got 0 6 4\n"
      "9:7: pair 0 -> 1 of flow '0' of job 'f' is there already\n"
      "10:15: expected 7 fields 'submit_time run_time node_num source destination flow_id job_id', got 8\n"
      "11:1: submit_time: expected a whole number from 0 to 1000000000000, got '1e3'\n"
      "11:5: run_time: expected a whole number from 1 to 1000000000000, got '5.5'\n");
}

TEST(WorkloadFile, AByteOrderMarkIsPassedOver) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(Read(mark + "0 5 2 0 1 0 a\n").list.size(), 1u);
  EXPECT_EQ(Read(mark + "; a trace\n" + "1 0 -1 5 1 -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n").format,
            WorkloadFormat::swf);
  EXPECT_EQ(error_of(mark + "x 5 2 0 1 0 a\n"),
            "1:1: submit_time: expected a whole number from 0 to 1000000000000, got 'x'\n");
  EXPECT_THAT(error_of("0 5 2 0 1 0 a\n" + mark + "0 5 2 0 1 0 b\n"), HasSubstr("2:1: submit_time: expected"));
}

TEST(WorkloadFile, SignsAndContradictions) {
  EXPECT_EQ(error_of("0 5 2 0 1 -1 a\n0 5 2 0 1 0 -7\n0 5 2 0 1 - b\n"),
            "1:11: flow_id: expected a name of at most 64 ASCII characters without '-' in front, got '-1'\n"
            "2:13: job_id: expected a name of at most 64 ASCII characters without '-' in front, got '-7'\n"
            "3:11: flow_id: expected a name of at most 64 ASCII characters without '-' in front, got '-'\n");
  EXPECT_EQ(error_of("0 5 2 - - - a\n0 5 2 0 1 0 a\n0 5 2 0 1 0 b\n0 5 2 - - - b\n0 5 2 - - - c\n0 5 2 - - - c\n"),
            "2:7: job 'a' has no communication, says '- -' in line 1; expected no pair here\n"
            "4:7: job 'b' has a line already (3); '- -' says that it has no communication, and is its only line\n"
            "6:7: job 'c' has a line already (5); '- -' says that it has no communication, and is its only line\n");
}

// Lines of jobs that do not stand together, more of them than are looked up at a time.
TEST(WorkloadFile, InterleavedJobs) {
  constexpr std::uint32_t kJobs = 400;
  constexpr std::uint32_t kPairs = 800;
  std::string text;
  for (std::uint32_t p = 0; p < kPairs; ++p) {
    for (std::uint32_t j = 0; j < kJobs; ++j) text += fmt::format("0 5 1000 {} 999 f{} j{}\n", p, p % 7, j);
  }
  const Read r(text);
  ASSERT_EQ(r.list.size(), kJobs);
  std::uint64_t pair = 0;
  for (const Job& job : r.list) {
    ASSERT_EQ(job.flows.size(), 7u);
    for (std::uint32_t f = 0; f < 7; ++f) {
      EXPECT_EQ(job.flows[f].id, fmt::format("f{}", f));
      EXPECT_EQ(job.flows[f].first_pair, pair);
      ASSERT_EQ(job.flows[f].pairs.size(), kPairs / 7 + (f < kPairs % 7 ? 1 : 0));
      for (std::uint32_t i = 0; i < job.flows[f].pairs.size(); ++i) {
        EXPECT_EQ(job.flows[f].pairs[i], LogicalPair(f + 7 * i, 999));
      }
      pair += job.flows[f].pairs.size();
    }
  }
  EXPECT_THAT(error_of(text + "0 5 1000 3 999 f3 j2\n"),
              HasSubstr("pair 3 -> 999 of flow 'f3' of job 'j2' is there already"));
}

TEST(SwfFile, AJobThatThePatternDoesNotFitIsMarked) {
  WorkloadOptions options;
  options.pattern = [](std::uint32_t nodes, RandomStream&) {
    if (nodes == 3) throw InputError({}, "not for three");
    return std::vector<jobs::JobFlow>();
  };
  const std::string tail = " -1 -1 1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n";
  const Read r("1 0 -1 5 2" + tail + "2 1 -1 5 3" + tail + "3 2 -1 5 4" + tail, options, "t.swf");
  ASSERT_EQ(r.list.size(), 3u);
  EXPECT_THAT(r.list[0].unfit, IsEmpty());
  EXPECT_EQ(r.list[1].unfit, "not for three");
  EXPECT_THAT(r.list[2].unfit, IsEmpty());
}

TEST(WorkloadFile, WrongLinesAreCounted) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "nonsense\n";
  const std::string errors = error_of(text);
  EXPECT_EQ(std::count(errors.begin(), errors.end(), '\n'), 20);
  EXPECT_THAT(errors, HasSubstr("(and 80 more of this kind)"));
}

TEST(WorkloadFile, EmptyBinaryAndMissing) {
  EXPECT_EQ(error_of(""), "0:0: there are no jobs in this file\n");
  EXPECT_EQ(error_of("# only a comment\n\n"), "0:0: there are no jobs in this file\n");
  EXPECT_EQ(error_of("; only a comment\n", "t.swf"), "0:0: there are no jobs in this file\n");
  EXPECT_THAT(error_of(std::string("\0\1\2 \xff\n", 6)), HasSubstr("expected 7 fields"));
  EXPECT_THAT(error_of("0 5 1 - - - a\x01\n"),
              HasSubstr("job_id: expected a name of at most 64 ASCII characters without '-' in front, got 'a\x01'"));
  EXPECT_THAT(error_of(std::string(3'000'000, 'x')), HasSubstr("a line of more than 1048576 bytes"));
  EXPECT_THROW(jobs::open_workload("/nowhere/at/all.txt", {}), InputError);
  EXPECT_THROW(jobs::open_workload("/", {}), InputError);
}

TEST(CircuitsFile, BecomesJobsWithoutTimes) {
  WorkloadOptions options;
  options.circuits_run_time = 7;
  const Read r("0 12 0 1\n1  8 1 1\n5 4 0 2\n", options);
  EXPECT_EQ(r.format, WorkloadFormat::circuits);
  ASSERT_EQ(r.list.size(), 2u);
  EXPECT_EQ(std::tuple(r.list[0].submit, r.list[0].run, r.list[0].nodes), (std::tuple(0, 7, 4u)));
  // Nodes 0 1 8 12 are logical 0 1 2 3.
  EXPECT_THAT(r.list[0].flows[0].pairs, ElementsAre(LogicalPair(0, 3)));
  EXPECT_THAT(r.list[0].flows[1].pairs, ElementsAre(LogicalPair(1, 2)));
  EXPECT_THAT(r.list[1].flows[0].pairs, ElementsAre(LogicalPair(1, 0)));
  EXPECT_THAT(r.notes, ElementsAre("the file names no times: every job is submitted at 0 and runs for 7"));
  EXPECT_EQ(error_of("0 1 0\n2 2 0\n0 1 0\n0\n"),
            "2:1: node 2 sends to itself\n3:1: pair 0 -> 1 of flow '0' of job '0' is there already\n"
            "4:1: expected 'source destination flow_id [job_id]', got 1 fields\n");
}

/// A line of a trace.
std::string swf(int number, int submit, int run, int allocated, int requested = -1, int status = 1) {
  return fmt::format("{} {} 0 {} {} 1.5 -1 {} -1 -1 {} 1 1 -1 1 -1 -1 -1\n", number, submit, run, allocated, requested,
                     status);
}

TEST(SwfFile, TakesWhatAJobNeeds) {
  WorkloadOptions options;
  options.pattern = ring();
  const Read r("; Computer: none\n;\n" + swf(1, 10, 100, 4) + swf(2, 12, 0, -1, 3) + swf(3, 12, -1, 2) +
                   swf(4, 13, 5, -1) + swf(5, 14, 5, 2, 2, 3) + swf(6, 15, 5, 1, 1, 5) + swf(7, 15, 0, 0, 16, 5) +
                   swf(8, 15, -1, -1, 16, 5),
               options);
  EXPECT_EQ(r.format, WorkloadFormat::swf);
  EXPECT_EQ(r.count, 3u);
  ASSERT_EQ(r.list.size(), 3u);
  EXPECT_EQ(std::tuple(r.list[0].id, r.list[0].submit, r.list[0].run, r.list[0].nodes),
            (std::tuple(std::string("1"), 10, 100, 4u)));
  EXPECT_EQ(r.list[0].flows.size(), 4u);
  EXPECT_EQ(std::tuple(r.list[1].run, r.list[1].nodes), (std::tuple(1, 3u)));
  EXPECT_EQ(r.list[1].flows[0].first_pair, 4u);
  EXPECT_EQ(r.list[2].id, "6");
  EXPECT_THAT(r.list[2].flows, IsEmpty());
  EXPECT_EQ(r.notes.size(), 5u);
  EXPECT_EQ(r.notes[3], "jobs cancelled before they ran (status 5, run time 0 or unknown), left out: 2");
  options.processors_per_node = 4;
  EXPECT_EQ(Read(swf(1, 0, 5, 9), options).list[0].nodes, 3u);
}

TEST(SwfFile, PartsHaveNoSubmitTimeAndTimesMayHaveAFraction) {
  const std::string tail = " 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n";
  const std::string part = " 4 -1 -1 4 -1 -1 2 1 1 1 1 1 -1 -1\n";
  const Read r("1 0 -1 80.0" + tail + "1 -1 5 30" + part + "1 -1 20 50.5" + part + "2 3.5 -1 10.49" + tail +
                   "3 4 -1 -1.0" + tail,
               {}, "t.swf");
  ASSERT_EQ(r.list.size(), 2U);
  EXPECT_EQ(std::pair(r.list[0].submit, r.list[0].run), (std::pair<jobs::Time, jobs::Time>(0, 80)));
  EXPECT_EQ(std::pair(r.list[1].submit, r.list[1].run), (std::pair<jobs::Time, jobs::Time>(4, 10)));
  EXPECT_THAT(r.notes, ElementsAre("jobs of unknown run time, left out: 1",
                                   "lines on parts of jobs (status 2 to 4), left out since other lines sum them up: 2",
                                   "jobs with a time that has a fraction, rounded: 1"));
  // Cancelled after less than half a second: it ran.
  const Read cancelled("1 0 -1 0.4 4 -1 -1 4 -1 -1 5 1 1 1 1 1 -1 -1\n", {}, "t.swf");
  ASSERT_EQ(cancelled.list.size(), 1U);
  EXPECT_EQ(cancelled.list[0].run, 1);
  for (const char* wrong : {"1.", "1.5x", ".5", "1.2.3", "-1.5"}) {
    EXPECT_THAT(error_of("1 0 -1 " + std::string(wrong) + tail, "t.swf"),
                testing::HasSubstr("run time: expected a whole number from -1 to 1000000000000, got '" +
                                   std::string(wrong) + "'"))
        << wrong;
  }
}

TEST(SwfFile, JobsOutOfOrderAreHeldBack) {
  std::string text;
  // 0, 10, 5, 20, 7, 30, ...: late by up to 13.
  const std::vector<int> submits{0, 10, 5, 20, 7, 30, 30, 29, 40};
  for (std::size_t i = 0; i < submits.size(); ++i) text += swf(static_cast<int>(i) + 1, submits[i], 5, 1);
  const Read r(text, {}, "t.swf");
  std::vector<jobs::Time> got;
  for (const Job& job : r.list) got.push_back(job.submit);
  EXPECT_THAT(got, ElementsAre(0, 5, 7, 10, 20, 29, 30, 30, 40));
  EXPECT_EQ(r.list[6].id, "6");
  EXPECT_EQ(r.list[7].id, "7");
  EXPECT_THAT(r.notes, ElementsAre("3 jobs stood behind others submitted later; they were sorted"));
}

TEST(SwfFile, Errors) {
  EXPECT_EQ(error_of(swf(1, 0, 5, 1) + "1 2 3\n" + swf(1, 4, 5, 1) + swf(2, -3, 5, 1) + swf(3, 4, -2, 1) +
                         swf(4, 4, 5, 1, 1, 9) + "5 0 x 5 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n",
                     "t.swf"),
            "2:5: expected the 18 fields of the Standard Workload Format, got 3\n"
            "3:1: job number 1 is there already\n"
            "4:3: submit time: expected a whole number from 0 to 1000000000000, got '-3'\n"
            "5:7: run time: expected a whole number from -1 to 1000000000000, got '-2'\n"
            "6:26: status: expected a whole number from -1 to 5, got '9'\n"
            "7:5: field 3: expected a number, got 'x'\n");
}

// Whatever stands in a file: it is a workload or an InputError with a place, and what is read keeps the rules.
TEST(WorkloadFile, BrokenFilesAreErrorsOrWorkloads) {
  const std::vector<std::string> good{"0 10 4 0 1 a 7\n0 10 4 0 2 a 7\n3 2 1 - - - x\n9 9 2 1 0 b y\n",
                                      "0 12 0 1\n1 8 1 1\n5 4 0 2\n", "; c\n" + swf(1, 0, 5, 1) + swf(2, 4, 5, 3)};
  std::mt19937 random(11);
  const std::string bytes = "0123456789-# ;.\n\t\r\0xZ\xff";
  WorkloadOptions options;
  options.pattern = ring();
  options.most_nodes = 64;
  std::size_t read = 0;
  std::size_t refused = 0;
  const ScratchFolder folder;
  for (int round = 0; round < 1500; ++round) {
    std::string text = good[static_cast<std::size_t>(round) % good.size()];
    for (std::uint32_t n = 1 + random() % 4; n > 0; --n) {
      const std::size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = bytes[random() % bytes.size()];
          break;
        case 1:
          text.insert(at, 1, bytes[random() % bytes.size()]);
          break;
        default:
          text.erase(at, 1);
      }
    }
    try {
      Workload workload = jobs::open_workload(folder.write("jobs.txt", text), options);
      jobs::Time last = 0;
      std::uint64_t jobs = 0;
      for (const Job& job : all_of(workload)) {
        ++jobs;
        ASSERT_GE(job.submit, last);
        last = job.submit;
        ASSERT_GE(job.run, 1);
        ASSERT_GE(job.nodes, 1u);
        for (const jobs::JobFlow& flow : job.flows) {
          for (const auto& [from, to] : flow.pairs) ASSERT_TRUE(from < job.nodes && to < job.nodes && from != to);
        }
      }
      ASSERT_EQ(jobs, workload.jobs);
      ++read;
    } catch (const InputError& e) {
      ASSERT_FALSE(e.list().empty());
      ++refused;
    }
  }
  EXPECT_GT(read, 200u);
  EXPECT_GT(refused, 200u);
}

TEST(Patterns, AreWhatTheirNamesSay) {
  const auto pairs = [](const std::string& name, std::uint32_t n) {
    for (const jobs::JobPatternEntry& p : jobs::job_patterns()) {
      if (name == p.name) return p.pairs(n);
    }
    ADD_FAILURE() << name;
    return std::vector<LogicalPair>();
  };
  EXPECT_THAT(pairs("ring", 3), ElementsAre(LogicalPair(0, 1), LogicalPair(1, 2), LogicalPair(2, 0)));
  EXPECT_THAT(pairs("exchange", 3), ElementsAre(LogicalPair(0, 1), LogicalPair(1, 0)));
  EXPECT_THAT(pairs("one_to_all", 3), ElementsAre(LogicalPair(0, 1), LogicalPair(0, 2)));
  EXPECT_THAT(pairs("all_to_one", 3), ElementsAre(LogicalPair(1, 0), LogicalPair(2, 0)));
  EXPECT_EQ(pairs("all_to_all", 5).size(), 20u);
  for (const jobs::JobPatternEntry& p : jobs::job_patterns()) EXPECT_THAT(p.pairs(1), IsEmpty()) << p.name;
  EXPECT_EQ(jobs::flows_of(pairs("one_to_all", 4), true).size(), 1u);
  EXPECT_EQ(jobs::flows_of(pairs("ring", 4), false).size(), 4u);
}

TEST(Generator, RepeatsAndHasItsMeans) {
  jobs::GeneratorOptions options;
  options.jobs = 20000;
  options.pattern = ring();
  const std::vector<Job> a = jobs::generate_jobs(options);
  const std::vector<Job> b = jobs::generate_jobs(options);
  ASSERT_EQ(a.size(), 20000u);
  double run = 0;
  std::map<std::uint32_t, int> sizes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ASSERT_EQ(std::tuple(a[i].submit, a[i].run, a[i].nodes), std::tuple(b[i].submit, b[i].run, b[i].nodes));
    run += static_cast<double>(a[i].run);
    ++sizes[a[i].nodes];
  }
  // Standard errors: 0.07 and 0.2; rounding down takes half a unit from the run times.
  EXPECT_NEAR(static_cast<double>(a.back().submit) / 19999, options.mean_interarrival, 0.4);
  EXPECT_NEAR(run / 20000, options.mean_run - 0.5, 1.0);
  ASSERT_EQ(sizes.size(), 5u);
  for (const auto& [size, n] : sizes) EXPECT_NEAR(n, 4000, 300) << size;
  options.seed = 2;
  EXPECT_NE(jobs::generate_jobs(options)[1].submit, a[1].submit);
}

TEST(WorkloadFile, WrittenAndReadAgain) {
  jobs::GeneratorOptions options;
  options.pattern = ring();
  const std::vector<Job> list = jobs::generate_jobs(options);
  JobList source(list);
  const Read r(jobs::workload_text(source));
  ASSERT_EQ(r.list.size(), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(std::tuple(r.list[i].id, r.list[i].submit, r.list[i].run, r.list[i].nodes),
              std::tuple(list[i].id, list[i].submit, list[i].run, list[i].nodes));
    ASSERT_EQ(r.list[i].flows.size(), list[i].flows.size());
    for (std::size_t f = 0; f < list[i].flows.size(); ++f) {
      EXPECT_EQ(r.list[i].flows[f].pairs, list[i].flows[f].pairs);
      EXPECT_EQ(r.list[i].flows[f].first_pair, list[i].flows[f].first_pair);
    }
  }
}

}  // namespace
}  // namespace weft::test

// Runs the benchmarks of a program; libsystemc, which every model brings along, has main() and calls this.

#include <benchmark/benchmark.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

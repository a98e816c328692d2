#pragma once
// The program `weft` as a function, so that a user's program has all of its commands.

namespace weft::cli {

/// Reads the command line and calls one command; to be called from sc_main. Returns the exit status: 0 done, 1 the run
/// itself failed, 2 bad input, 130 interrupted.
int main(int argc, char** argv);

}  // namespace weft::cli

// libsystemc brings main(), which calls sc_main(); GoogleTest runs inside it, so gtest_main is not linked.
// A kernel warning or error that a test does not expect throws and fails the test.

#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  sc_core::sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_THROW);
  sc_core::sc_report_handler::set_actions("/IEEE_Std_1666/deprecated", sc_core::SC_DO_NOTHING);
  return RUN_ALL_TESTS();
}

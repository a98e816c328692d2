#pragma once
// Included before verilated.cpp of Verilator's runtime (cmake/WeftTargets.cmake): its ends and its text go through
// rtl_messages.cpp.

#define VL_USER_FINISH
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_PRINTF weft_rtl_printf

int weft_rtl_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Options of sanitizer builds: SystemC's coroutine stacks are unknown to AddressSanitizer.

extern "C" const char* __asan_default_options();
extern "C" const char* __lsan_default_options();
extern "C" const char* __asan_default_options() { return "detect_stack_use_after_return=0"; }
extern "C" const char* __lsan_default_options() { return "use_stacks=0"; }

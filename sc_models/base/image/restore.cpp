// The code that puts the memory of an image in the place of a process. It runs at an address of its own, on a stack of
// its own, while everything else of the process ends: no call of a function, no global data, nothing of the C library.
// It is compiled without whatever the compiler would add to it (sc_models/CMakeLists.txt).
#include <asm/unistd.h>
#include <sys/mman.h>

#include "base/image/image_format.h"

#ifdef WEFT_PROCESS_IMAGE

#define WEFT_ALONE \
  __attribute__((section("weft_restore"), noinline, used, no_instrument_function, no_profile_instrument_function))
#define WEFT_PART __attribute__((always_inline, no_instrument_function, no_profile_instrument_function)) inline

namespace weft::image {
namespace {

using Word = std::uint64_t;

WEFT_PART Word call(Word number, Word a = 0, Word b = 0, Word c = 0, Word d = 0, Word e = 0, Word f = 0) {
  register Word r10 __asm__("r10") = d;
  register Word r8 __asm__("r8") = e;
  register Word r9 __asm__("r9") = f;
  Word result = number;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

WEFT_PART bool failed(Word result) { return result > static_cast<Word>(-4096); }

// There is nothing to go back to. The message lies beside the plan: constants of the program have ended.
[[noreturn]] WEFT_PART void give_up(const Plan* plan, char step) {
  constexpr Word kFromEnd = 3;
  volatile char* const text = plan->message;
  text[plan->message_bytes - kFromEnd] = step;
  call(__NR_write, 2, reinterpret_cast<Word>(plan->message), plan->message_bytes);
  for (;;) call(__NR_exit_group, 1);
}

WEFT_ALONE void restore(const Plan* plan) {
  constexpr Word kAnywhere = ~Word{0};
  constexpr Word kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  constexpr Word kSignature = 0x53053053;  // of the C library's restartable sequences
  if (plan->old_sequences_at != 0) {
    call(__NR_rseq, plan->old_sequences_at, plan->sequence_bytes, 1, kSignature);  // the kernel writes there no more
  }
  for (Word i = 0; i < plan->old_count; ++i) {
    if (failed(call(__NR_munmap, plan->old[i].from, plan->old[i].bytes))) give_up(plan, '1');
  }
  for (Word i = 0; i < plan->region_count; ++i) {
    const Region& r = plan->regions[i];
    if ((r.flags & kOfFile) != 0) {
      constexpr Word kOfAFile = MAP_SHARED | MAP_FIXED;
      const auto number = static_cast<Word>(r.number);
      if (failed(call(__NR_mmap, r.from, r.to - r.from, r.rights, kOfAFile, number, r.offset))) give_up(plan, '2');
      continue;
    }
    const Word room = (r.flags & kFirstStack) != 0 ? kStackRoom : 0;
    const Word rights = r.rights == PROT_NONE ? PROT_NONE : PROT_READ | PROT_WRITE;
    const Word bytes = r.to - r.from + room;
    if (failed(call(__NR_mmap, r.from - room, bytes, rights, kPrivate, kAnywhere, 0))) give_up(plan, '2');
    if ((r.flags & kLargePages) != 0) call(__NR_madvise, r.from, r.to - r.from, MADV_HUGEPAGE);
  }
  const auto file = static_cast<Word>(plan->file);
  for (;;) {
    Run run{};
    for (Word have = 0; have < sizeof run;) {
      const Word n = call(__NR_read, file, reinterpret_cast<Word>(&run) + have, sizeof run - have);
      if (n == 0 || failed(n)) give_up(plan, '3');
      have += n;
    }
    if (run.bytes == 0) break;
    if (plan->skipped_from <= run.from && run.from < plan->skipped_to) {
      if (failed(call(__NR_lseek, file, run.bytes, 1))) give_up(plan, '4');
      continue;
    }
    while (run.bytes != 0) {
      const Word most = run.bytes < (Word{1} << 30) ? run.bytes : Word{1} << 30;
      const Word n = call(__NR_read, file, run.from, most);
      if (n == 0 || failed(n)) give_up(plan, '4');
      run.from += n;
      run.bytes -= n;
    }
  }
  for (Word i = 0; i < plan->patch_count; ++i) {
    auto* const to = reinterpret_cast<volatile std::uint8_t*>(plan->patches[i].at);
    for (Word k = 0; k < sizeof plan->patches[i].code; ++k) to[k] = plan->patches[i].code[k];
  }
  for (Word i = 0; i < plan->region_count; ++i) {
    const Region& r = plan->regions[i];
    if (r.rights == PROT_NONE || r.rights == (PROT_READ | PROT_WRITE) || (r.flags & kOfFile) != 0) continue;
    if (failed(call(__NR_mprotect, r.from, r.to - r.from, r.rights))) give_up(plan, '5');
  }
  call(__NR_close, file);
  const Header& h = plan->header;
  constexpr Word kSetFs = 0x1002;
  if (failed(call(__NR_arch_prctl, kSetFs, h.thread_pointer))) give_up(plan, '6');
  const Word thread = call(__NR_set_tid_address, h.thread_number_at);
  *reinterpret_cast<volatile std::int32_t*>(h.thread_number_at) = static_cast<std::int32_t>(thread);
  call(__NR_set_robust_list, h.robust_list, 24);
  if (h.sequences_at != 0) call(__NR_rseq, h.sequences_at, plan->sequence_bytes, 0, kSignature);
  __asm__ volatile(
      "mov %0, %%rsp\n\t"
      "xor %%ebp, %%ebp\n\t"
      "call *%1\n\t"
      "ud2"
      :
      : "c"(h.stack), "a"(h.entry), "D"(plan->own_from), "S"(plan->own_to - plan->own_from)
      : "memory");
  __builtin_unreachable();
}

}  // namespace

// The linker's names of the section.
extern "C" const unsigned char __start_weft_restore[] __attribute__((visibility("hidden")));
extern "C" const unsigned char __stop_weft_restore[] __attribute__((visibility("hidden")));

const unsigned char* restore_begin() { return __start_weft_restore; }
const unsigned char* restore_end() { return __stop_weft_restore; }
std::uint64_t restore_offset() {
  return reinterpret_cast<std::uint64_t>(&restore) - reinterpret_cast<std::uint64_t>(__start_weft_restore);
}

}  // namespace weft::image

#endif

#pragma once
// Errors of the FST writer that comes with Verilator. It looks at the result of no call that writes: on a full disk it
// goes on as if nothing had happened. Here these calls go through checked ones (fst_stdio.h), and the first error stays
// until somebody looks.

#include <atomic>

namespace weft {

class FstErrors {
 public:
  /// From construction to destruction, the writer's calls of this thread, and those of the threads it starts, note
  /// their errors here.
  class Listening {
   public:
    explicit Listening(FstErrors& errors);
    ~Listening();
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;

   private:
    FstErrors* const before_;
  };

  /// errno of the first call that failed; 0 while all is well.
  int first() const { return first_; }
  /// A call has failed with errno `error`.
  void note(int error) {
    int none = 0;
    first_.compare_exchange_strong(none, error);
  }

 private:
  std::atomic<int> first_{0};
};

}  // namespace weft

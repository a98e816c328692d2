#pragma once
// Image of this process: all its memory, its registers and its open files in one file, with which another process goes
// on where this one was when the image was written. Whatever the process does - a simulation with its coroutines,
// Verilated blocks and writers of waveforms - is in it, so nothing that is modelled needs code to be saved.
//
// The image is self-contained: program and libraries are in it as they were, so it goes on with the code it began with.
// It needs x86-64 Linux and a processor with all features of the first. Not in it: child processes, pipes, sockets,
// memory shared with others (an MPI job); a process with a second thread is refused.
//
// Regular files that are open are in the image with their contents, and get them back, under their paths, when it goes
// on; so do locks on them (flock). Standard input, output and error, the environment of the system (limits, niceness,
// the terminal) and open files that are not regular belong to the process that goes on.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace weft {

/// Why this process cannot be saved on this system; empty: it can.
std::string no_process_image();

/// Words of whoever has an image written, for whoever has to know what it is without running it.
struct ImageNote {
  std::string place;    ///< the folder it belongs to
  std::string meaning;  ///< one line
};

enum class ImageMoment { written, resumed };

/// Writes the image to `file` (under another name until it is complete). Returns twice: in this process, and, with
/// `resumed`, in each that goes on with the image. Throws RunError when it cannot be written; the process goes on.
/// `before_signals` is called in a process that goes on: the handlers of signals are back, but signals that have come
/// since resume() are still to be delivered.
ImageMoment save_process(const std::filesystem::path& file, const ImageNote& note,
                         const std::function<void()>& before_signals = {});

/// Image that was written, open to be gone on with.
class ProcessImage {
 public:
  /// Reads and checks it. Throws InputError for a file that is none, is not complete or was damaged, that others than
  /// its owner can write, and for one that this machine cannot go on with. Where the system has put its own mappings
  /// into the way it starts this program again, with the same arguments: to be called before anything else is done.
  explicit ProcessImage(const std::filesystem::path& file);
  ~ProcessImage();
  ProcessImage(const ProcessImage&) = delete;
  ProcessImage& operator=(const ProcessImage&) = delete;

  const ImageNote& note() const;
  /// Goes on with it in the place of this process, whose memory and open files end; signals wait for the handlers of
  /// the image. Throws RunError when that cannot be, and InputError when another process holds one of its files.
  [[noreturn]] void resume();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft

#pragma once
// Included before verilated_fst_c.cpp of Verilator's runtime, which includes the FST writer (cmake/WeftTargets.cmake):
// its calls that write are checked. Its temporary files lie in memory, so that no other disk can be full. Its thread,
// in which a block of changes is sorted and packed while the simulation goes on, notes errors where its starter does,
// and is known to have its lock before the writer goes on.

// Whatever else the file includes must know these functions by their own names.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>
#include <zlib.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace weft::fst_stdio {

std::FILE* open(const char* name, const char* mode);
std::FILE* temporary();
std::size_t write(const void* data, std::size_t size, std::size_t count, std::FILE* file);
int put(int byte, std::FILE* file);
int flush(std::FILE* file);
int seek(std::FILE* file, off_t offset, int whence);
int close(std::FILE* file);
int truncate(int file, off_t length);
/// Of a file that is shorter than it should be, zeros: access beyond the end would kill the process.
void* map(void* address, std::size_t length, int protection, int flags, int file, off_t offset);

/// pthread_create that returns once the new thread holds its first mutex: the writer looks at what the thread shares
/// with it as soon as that mutex is free. Where no thread can be had, `work` is done before it returns.
int start(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* context);
int lock(pthread_mutex_t* mutex);

/// malloc and free that keep one block of the size of the writer's buffer: it takes another one with every block of
/// changes, and the system would clear each of its pages again.
void* allocate(std::size_t size);
void release(void* block);

}  // namespace weft::fst_stdio

#define fopen weft::fst_stdio::open
#define tmpfile weft::fst_stdio::temporary
#define fwrite weft::fst_stdio::write
#define fputc weft::fst_stdio::put
#define fflush weft::fst_stdio::flush
#define fseeko weft::fst_stdio::seek
#define fclose weft::fst_stdio::close
#define ftruncate weft::fst_stdio::truncate
#define mmap weft::fst_stdio::map
#define pthread_create weft::fst_stdio::start
#define pthread_mutex_lock weft::fst_stdio::lock
#define malloc weft::fst_stdio::allocate
#define free weft::fst_stdio::release

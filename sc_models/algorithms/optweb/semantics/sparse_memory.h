#pragma once
// Memory of a node as bytes: pages exist once they are touched, and whole pages that are copied are shared until one of
// the copies is written. So 8 GiB per node cost what is used of them, and a transfer costs the same for each page,
// however many nodes get it.
//
// Memory that nobody has written holds a pattern that depends on seed, node and address, so that a byte in a wrong
// place shows. A page of it gets its bytes when somebody looks at them: as long as whole pages are copied and compared,
// whose pattern it is and which page of it say as much.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace weft::optweb {

class SparseMemory {
 public:
  static constexpr std::uint64_t kPage = 16384;

  SparseMemory(std::uint64_t size, std::uint64_t seed, std::uint32_t node);

  std::uint64_t size() const { return size_; }
  /// Ranges must lie within size(); std::out_of_range otherwise.
  void read(std::uint64_t address, std::span<std::byte> out) const;
  void write(std::uint64_t address, std::span<const std::byte> data);
  /// Copies from `source`, which may be this memory; the ranges must not overlap then. `stop`, asked before every page,
  /// ends it early.
  void copy(const SparseMemory& source, std::uint64_t from, std::uint64_t to, std::uint64_t bytes,
            const std::function<bool()>& stop = {});

  /// Appends the content of a range, for another process: of pages that nobody has changed whose pattern they have.
  void save(std::uint64_t address, std::uint64_t bytes, std::vector<std::byte>& to) const;
  /// Puts what was saved at the same addresses of this memory, and perhaps more beside it, up to the pages' ends;
  /// returns the bytes that it took. std::out_of_range for something else.
  std::size_t load(std::span<const std::byte> saved);

  /// The page around `address`, to be read and written in place by others for as long as this memory lives (DMI).
  std::span<std::byte> pin(std::uint64_t address);

  /// First address at which two memories of the same seed and node differ; pages that neither has touched are equal.
  static std::optional<std::uint64_t> first_difference(const SparseMemory& a, const SparseMemory& b);
  /// The same for `bytes` bytes of `a` and of `b` from given addresses on, of memories that may be any: the number of
  /// the first one that differs.
  static std::optional<std::uint64_t> first_difference(const SparseMemory& a, std::uint64_t a_from,
                                                       const SparseMemory& b, std::uint64_t b_from,
                                                       std::uint64_t bytes);
  /// Bytes of pages that exist.
  std::uint64_t touched() const { return pages_.size() * kPage; }
  /// Bytes that are stored: of pages that somebody has looked at or changed.
  std::uint64_t stored() const;
  /// Numbers of the pages that exist, ascending.
  std::vector<std::uint64_t> page_numbers() const;

 private:
  using Bytes = std::array<std::byte, kPage>;
  struct Page {
    Page(std::uint64_t of_pattern, std::uint64_t of_number) : pattern(of_pattern), number(of_number) {}
    Page(const Page& other);
    const Bytes& content();  // made when nobody has looked so far
    Bytes& written();        // likewise; from now on it is no page of a pattern

    std::uint64_t pattern;
    std::uint64_t number;
    std::unique_ptr<Bytes> bytes;
    bool changed = false;
    bool pinned = false;
  };
  using PagePointer = std::shared_ptr<Page>;

  static void fill(std::uint64_t pattern, std::uint64_t number, Bytes& bytes);
  static bool same(const Page& a, const Page& b);  // without a look at bytes: false says nothing
  void check(std::uint64_t address, std::uint64_t bytes) const;
  const PagePointer& page(std::uint64_t number) const;  // made when it is not there
  Page& own_page(std::uint64_t number);                 // shared with nobody

  std::uint64_t size_;
  std::uint64_t pattern_;
  mutable std::unordered_map<std::uint64_t, PagePointer> pages_;
};

}  // namespace weft::optweb

#include "core/src/runtime/staged_stream.h"

#include <algorithm>
#include <cstring>
#include <deque>

namespace weft::core {

namespace {

/// Pieces start at an alignment that suits every type.
constexpr uint64_t piece_alignment = 16;

}  // namespace

StagedStream::Ring::Piece StagedStream::Ring::take(uint64_t bytes, StagedStream& stream, StagingUse use) {
  if (slots_.empty()) slots_.push_back(stream.make_slot(first_slot_bytes, use));
  if (used_ == slots_[current_]->bytes()) {
    const size_t next = (current_ + 1) % slot_count;
    if (next == slots_.size()) {
      slots_.push_back(stream.make_slot(slot_bytes, use));
    } else {
      stream.finish(*slots_[next], stream.device().timeout());
    }
    current_ = next;
    used_ = 0;
  }
  StagingSlot& slot = *slots_[current_];
  const Piece piece{&slot, used_, std::min(bytes, slot.bytes() - used_)};
  used_ = std::min(slot.bytes(), (used_ + piece.bytes + piece_alignment - 1) / piece_alignment * piece_alignment);
  return piece;
}

void StagedStream::upload(const Region& destination, std::span<const std::byte> data) {
  for (uint64_t done = 0; done < data.size();) {
    const Ring::Piece piece = staging_->uploads.take(data.size() - done, *this, StagingUse::upload);
    std::memcpy(piece.data(), data.data() + done, piece.bytes);
    copy_in(*piece.slot, piece.offset, destination.part(done, piece.bytes));
    done += piece.bytes;
    // The device copies this piece while the host fills the next.
    if (done < data.size()) submit();
  }
}

void StagedStream::download(const Region& source, std::span<std::byte> data, std::chrono::nanoseconds timeout) {
  struct Pending {
    Ring::Piece piece;
    uint64_t done;
  };
  std::deque<Pending> pending;
  const auto finish_oldest = [&] {
    const auto& [piece, done] = pending.front();
    finish(*piece.slot, timeout);
    std::memcpy(data.data() + done, piece.data(), piece.bytes);
    pending.pop_front();
  };
  for (uint64_t done = 0; done < data.size();) {
    // The contents of a slot are copied out before the slot is used again.
    if (pending.size() == Ring::slot_count - 1) finish_oldest();
    const Ring::Piece piece = staging_->downloads.take(data.size() - done, *this, StagingUse::download);
    copy_out(source.part(done, piece.bytes), *piece.slot, piece.offset);
    submit();
    pending.push_back({piece, done});
    done += piece.bytes;
  }
  while (!pending.empty()) finish_oldest();
}

}  // namespace weft::core

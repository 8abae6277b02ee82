// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/simulator/ThreadRanks.h"

#include "simulator/events/StepLimits.h"

#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <thread>

namespace dendrolith::test {

void Post::put(unsigned from, unsigned to, std::string bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  boxes[{from, to}].push_back(std::move(bytes));
  came.notify_all();
}

void Post::fail() {
  std::lock_guard<std::mutex> lock(mutex);
  failed = true;
  came.notify_all();
}

std::string Post::take(unsigned from, unsigned to) {
  std::unique_lock<std::mutex> lock(mutex);
  auto &box = boxes[{from, to}];
  came.wait(lock, [&] { return failed || !box.empty(); });
  if (box.empty())
    throw std::runtime_error("another rank has failed");
  std::string bytes = std::move(box.front());
  box.pop_front();
  return bytes;
}

void ThreadRank::begin(const std::vector<std::string> &to) {
  for (unsigned r = 0; r < count; ++r)
    post.put(number, r, to[r]);
}

void ThreadRank::end(std::vector<std::string> &from) {
  from.resize(count);
  for (unsigned r = 0; r < count; ++r)
    from[r] = post.take(r, number);
}

void ThreadRank::send(std::string_view bytes) {
  post.put(number, 0, std::string(bytes));
}

std::string ThreadRank::receive(unsigned from) { return post.take(from, 0); }

void ThreadRank::broadcast(std::string &bytes) {
  if (number != 0)
    bytes = post.take(0, number);
  else
    for (unsigned r = 1; r < count; ++r)
      post.put(0, r, bytes);
}

void ThreadRank::abort(int status) { std::_Exit(status); }

std::vector<sim::CoreShare> dealt(const image::Program &program,
                                  const Target &target, unsigned count) {
  std::vector<sim::CoreWork> cores;
  for (const image::Core &core : program.cores())
    cores.push_back({core.id(), core.synapses().ByteSizeLong()});
  return sim::shareChips(cores, target.mesh, count);
}

image::Program partOf(const image::Program &program, const Target &target,
                      sim::CoreShare own) {
  image::Program part = program;
  for (uint32_t c = 0; c < uint32_t(part.cores_size()); ++c)
    if (!own.has(c) && !sim::LimitedTraffic::isNeeded(target)) {
      part.mutable_cores(int(c))->clear_synapses();
      part.mutable_cores(int(c))->clear_in_axons();
    }
  return part;
}

void onRanks(unsigned count, const std::function<void(Ranks &)> &run) {
  Post post;
  std::vector<std::exception_ptr> failures(count);
  std::vector<std::thread> threads;
  for (unsigned r = 0; r < count; ++r)
    threads.emplace_back([&, r] {
      try {
        ThreadRank rank(post, r, count);
        run(rank);
      } catch (...) {
        failures[r] = std::current_exception();
        post.fail();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}

} // namespace dendrolith::test

// librdkafka is built on C11's <threads.h>, which ThreadSanitizer of GCC 12 does not know: a thread
// made by thrd_create() crashes inside it, and mtx_lock() orders nothing for it. In builds with
// ThreadSanitizer, and only there, these take glibc's place and lead to POSIX threads, which it
// does know. glibc's types of the two are the same.

#if defined(__SANITIZE_THREAD__)

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <memory>

namespace {

struct Start {
  thrd_start_t function;
  void* argument;
};

void* run(void* raw) {
  const std::unique_ptr<Start> start(static_cast<Start*>(raw));
  const auto result = static_cast<std::intptr_t>(start->function(start->argument));
  return reinterpret_cast<void*>(result);
}

pthread_mutex_t* posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }
int outcome(int error) {
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

}  // namespace

extern "C" {

// librdkafka itself is not instrumented: its reference counts are atomics that the sanitizer does
// not see. A race of our own code has no frame of it.
const char* __tsan_default_suppressions();  // NOLINT: the sanitizer's name
const char* __tsan_default_suppressions() { return "race:librdkafka.so\n"; }  // NOLINT

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = std::make_unique<Start>(Start{.function = function, .argument = argument});
  const int error = pthread_create(thread, nullptr, run, start.get());
  if (error == 0) {
    static_cast<void>(start.release());  // run() owns it
  }
  return outcome(error);
}

int thrd_join(thrd_t thread, int* result) {
  void* raw = nullptr;
  const int error = pthread_join(thread, &raw);
  if (result != nullptr) {
    *result = static_cast<int>(reinterpret_cast<std::intptr_t>(raw));
  }
  return outcome(error);
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(
      &attributes, (type & mtx_recursive) != 0 ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  const int error = pthread_mutex_init(posix(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return outcome(error);
}
int mtx_lock(mtx_t* mutex) { return outcome(pthread_mutex_lock(posix(mutex))); }
int mtx_trylock(mtx_t* mutex) {
  const int error = pthread_mutex_trylock(posix(mutex));
  return error == EBUSY ? thrd_busy : outcome(error);
}
int mtx_unlock(mtx_t* mutex) { return outcome(pthread_mutex_unlock(posix(mutex))); }
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(posix(mutex)); }

int cnd_init(cnd_t* condition) { return outcome(pthread_cond_init(posix(condition), nullptr)); }
int cnd_signal(cnd_t* condition) { return outcome(pthread_cond_signal(posix(condition))); }
int cnd_broadcast(cnd_t* condition) { return outcome(pthread_cond_broadcast(posix(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return outcome(pthread_cond_wait(posix(condition), posix(mutex)));
}
int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* until) {
  return outcome(pthread_cond_timedwait(posix(condition), posix(mutex), until));
}
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(posix(condition)); }

}  // extern "C"

#endif

package io.heddle.perf.jmh;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a benchmark on the kind of thread that the broker's event loops are, for which Netty has buffers at hand without a lock.
 * JMH makes it, when a fork's arguments name it.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {
    /** So many threads; the prefix begins their names. */
    public EventLoopThreads(int threads, String prefix) {
        super(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> new FastThreadLocalThread(task, prefix));
    }
}

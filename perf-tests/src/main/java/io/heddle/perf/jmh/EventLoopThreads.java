package io.heddle.perf.jmh;

import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a benchmark on the same kind of threads as the broker's event loops, for which Netty caches buffers without locks. JMH creates the
 * executor if a fork's arguments name it.
 */
public final class EventLoopThreads extends ThreadPoolExecutor {
    /** Called by JMH. */
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

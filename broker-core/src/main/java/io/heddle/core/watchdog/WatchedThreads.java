package io.heddle.core.watchdog;

import io.heddle.core.client.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The threads of a node that a {@link Watchdog} watches. Thread-safe. */
public final class WatchedThreads {
    private final Map<WatchedThread, EventLoop> loops = new ConcurrentHashMap<>();
    private final Collection<WatchedThread> others = ConcurrentHashMap.newKeySet();

    /** Watches a thread, which tells about its work itself. */
    public WatchedThread add(String name) {
        WatchedThread added = new WatchedThread(name);
        others.add(added);
        return added;
    }

    /** Watches an event loop, which is given a task with each heartbeat. */
    public void add(EventLoop loop) {
        loops.put(new WatchedThread("heddle-loop-" + loop.index()), loop);
    }

    /** Watches a thread no longer, because it ends. */
    public void remove(WatchedThread ended) {
        others.remove(ended);
    }

    /** Gives each event loop a task, unless it has one. */
    void ask() {
        loops.forEach((thread, loop) -> {
            if (!thread.isWorking()) {
                thread.await();
                loop.execute(thread::end);
            }
        });
    }

    /** Returns those that work now. */
    Collection<WatchedThread> working() {
        Collection<WatchedThread> all = new ArrayList<>();
        for (Collection<WatchedThread> each : List.of(loops.keySet(), others)) {
            each.stream().filter(WatchedThread::isWorking).forEach(all::add);
        }
        return all;
    }
}

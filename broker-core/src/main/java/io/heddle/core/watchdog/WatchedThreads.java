package io.heddle.core.watchdog;

import io.heddle.core.client.EventLoop;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The threads of a node that a {@link Watchdog} watches. Thread-safe. */
public final class WatchedThreads {
    private final List<WatchedThread> all = new CopyOnWriteArrayList<>();
    private final List<Map.Entry<WatchedThread, EventLoop>> loops = new CopyOnWriteArrayList<>();

    /** Watches a thread, which tells about its work itself. */
    public WatchedThread add(String name) {
        WatchedThread added = new WatchedThread(name);
        all.add(added);
        return added;
    }

    /** Watches an event loop, which is given a task with each heartbeat. */
    public void add(EventLoop loop) {
        loops.add(Map.entry(add("heddle-loop-" + loop.index()), loop));
    }

    /** Watches a thread no longer, because it ends. */
    public void remove(WatchedThread ended) {
        all.remove(ended);
    }

    /** Gives each event loop a task, unless it has one. */
    void ask() {
        loops.forEach(each -> {
            WatchedThread thread = each.getKey();
            if (!thread.isWorking()) {
                thread.await();
                each.getValue().execute(thread::end);
            }
        });
    }

    /** Returns those that work now. */
    List<WatchedThread> working() {
        return all.stream().filter(WatchedThread::isWorking).toList();
    }
}

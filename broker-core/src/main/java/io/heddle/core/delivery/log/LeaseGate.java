package io.heddle.core.delivery.log;

import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import java.util.ArrayDeque;

/**
 * Delays packets that tell a client that something is stored until this node knows that it is still a member. A node that takes the session over
 * finds everything that this node stored while it was a member. It may miss what this node stores after it was declared dead.
 *
 * <p>Belongs to the event loop of the connection. Tasks run in the order in which they were added, and none runs after {@link #end}.
 */
public final class LeaseGate {
    private final RoutingLease lease;
    private final EventLoop eventLoop;
    private final Runnable wake = this::wake;
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(0);
    private boolean ended;

    public LeaseGate(RoutingLease lease, EventLoop eventLoop) {
        this.lease = lease;
        this.eventLoop = eventLoop;
    }

    /** Runs a task: now if the lease is valid, otherwise when it is valid again. */
    public void pass(Runnable task) {
        eventLoop.assertCurrent();
        if (!ended) {
            waiting.add(task);
            runWaiting();
        }
    }

    private void runWaiting() {
        if (!waiting.isEmpty() && !lease.isValid()) {
            lease.whenValid(wake);
            return;
        }
        for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
            task.run();
        }
    }

    private void wake() {
        eventLoop.execute(this::runWaiting);
    }

    /** Forgets the tasks that wait. */
    public void end() {
        ended = true;
        waiting.clear();
        lease.cancel(wake);
    }
}

package io.heddle.core.authorization.decision;

import io.heddle.core.client.EventLoop;
import io.heddle.core.message.SteadyClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A sample of the decisions of the last ten minutes about the clients of this node, for rehearsals of proposed rules. Immutable; the parts are
 * owned by the event loops.
 *
 * <p><b>What is sampled.</b> Publishes, wills at CONNECT, and SUBSCRIBEs that were denied. Granted subscriptions are not: a rehearsal finds them
 * in the sessions. A will is not sampled again when it is due. Without rules, the same code decides, so that decisions are sampled before the first rules are stored.
 * <ul>
 * <li>Of allowed publishes, the first one of a client in each {@linkplain LoopDecisions window} of ten seconds, and then one in 2, 4, 8 and so
 *     on of the others, at random distances. So a slow client is seen always, and a client with n messages in a window about log n times.
 * <li>Of denied requests, the first {@value LoopDecisions#FIRST_DENIED} of a client in a window, and then fewer and fewer in the same way.
 * </ul>
 *
 * <p><b>Cost.</b> A decision that is not sampled costs two decrements and four comparisons, of fields that only its event loop uses, and
 * allocates nothing. One that is sampled is searched among those of its client, and a new one allocates and may replace others. The bounds for
 * a window limit this. A decision that is not sampled reads no clock: the loop reads one in every {@value LoopDecisions#DECISIONS_PER_READING} decisions, or in each one if they are rare. Event loops share no
 * field and no lock.
 *
 * <p><b>Bounds.</b> {@value #MAXIMUM} samples and {@value #MAXIMUM_BYTES} bytes in a node, in equal parts for the loops. A quarter is for denied
 * requests, so that neither kind displaces the other. Equal decisions are one sample with a count. A client with an eighth of a part, or with
 * {@value DecisionTable#MAXIMUM_OF_CLIENT} samples, replaces its own oldest one; otherwise the client that was sampled least recently is
 * forgotten. In a window, a loop samples at most as many decisions of either kind as it has room for, and those of denied requests that are not
 * the first of a client at most up to half of it. Shares are by client id, because many devices may share a user name. Samples have no payload.
 */
public final class RecentDecisions {
    /** The number of samples that a node keeps. */
    public static final int MAXIMUM = 10_000;

    public static final long MAXIMUM_BYTES = 8 << 20;

    /** The age at which a sample expires. */
    public static final Duration KEPT = Duration.ofMinutes(10);

    private final List<LoopDecisions> loops = new ArrayList<>();

    /** @param eventLoops all loops of the node, in the order of their indexes */
    public RecentDecisions(List<EventLoop> eventLoops, SteadyClock clock) {
        int parts = eventLoops.size();
        for (EventLoop each : eventLoops) {
            loops.add(new LoopDecisions(each, clock, MAXIMUM / parts, MAXIMUM_BYTES / parts));
        }
    }

    /** Returns the samples of an event loop of this node. Any thread. */
    public LoopDecisions of(EventLoop eventLoop) {
        return loops.get(eventLoop.index());
    }

    /** Returns the samples of all event loops. Any thread. */
    public List<LoopDecisions> all() {
        return List.copyOf(loops);
    }
}

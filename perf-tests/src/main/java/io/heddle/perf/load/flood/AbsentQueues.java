package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Subscribe;

/** Persistent sessions of disconnected clients that subscribe to one filter, and a publisher of QoS 1 messages to all of them. */
public final class AbsentQueues implements Flood {
    private static final int RUN = 1;

    private final int sessions;
    private final FloodPublishers publishers;

    public AbsentQueues(AttackContext context, int sessions, int payloadBytes, int window) {
        this.sessions = sessions;
        String topic = context.topic("absent");
        Subscribe subscribe = new Subscribe(topic, 1);
        context.visit(sessions, number -> context.clients().persistentClient("absent-" + number, true, subscribe));
        publishers = new FloodPublishers(
                context,
                "absent-pub",
                new FloodPublishers.Load(1, topic, 1, payloadBytes, window, Long.MAX_VALUE),
                RUN);
    }

    @Override
    public boolean turn(long nowNanos) {
        return publishers.turn(nowNanos);
    }

    @Override
    public void cleanUp(AttackContext context) {
        context.visit(sessions, number -> context.clients().transientClient("absent-" + number, null));
    }
}

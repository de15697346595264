package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Subscribe;

/** Subscribers with QoS 1 that read messages and acknowledge none, and some large messages to all of them. */
public final class NeverAcknowledge implements Flood {
    private static final int RUN = 1;
    private static final int WINDOW = 20;

    private final Crowd crowd;
    private final FloodPublishers publishers;

    public NeverAcknowledge(AttackContext context, int connections, int messages, int payloadBytes) {
        String topic = context.topic("unacknowledged");
        Subscribe subscribe = new Subscribe(topic, 1);
        crowd = new Crowd(
                        context,
                        connections,
                        new Silent(),
                        number -> context.clients().transientClient("silent-" + number, subscribe))
                .connect();
        publishers = new FloodPublishers(
                context, "silent-pub", new FloodPublishers.Load(1, topic, 1, payloadBytes, WINDOW, messages), RUN);
    }

    @Override
    public boolean turn(long nowNanos) {
        crowd.turn(nowNanos);
        return publishers.turn(nowNanos);
    }

    private static final class Silent implements Conduct {
        @Override
        public boolean acknowledges() {
            return false;
        }
    }
}

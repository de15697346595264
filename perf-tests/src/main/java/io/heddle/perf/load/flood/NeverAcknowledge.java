package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Subscribe;

/** QoS 1 subscribers that read messages and never acknowledge, and some large messages to all of them. */
public final class NeverAcknowledge implements Flood {
    private static final int RUN = 1;
    private static final int WINDOW = 20;

    private final AttackerPool pool;
    private final FloodPublishers publishers;

    public NeverAcknowledge(AttackContext context, int connections, int messages, int payloadBytes) {
        String topic = context.topic("unacknowledged");
        Subscribe subscribe = new Subscribe(topic, 1);
        pool = new AttackerPool(
                        context,
                        connections,
                        new NonAcknowledging(),
                        number -> context.clients().transientClient("silent-" + number, subscribe))
                .connect();
        publishers = new FloodPublishers(
                context, "silent-pub", new FloodPublishers.Load(1, topic, 1, payloadBytes, WINDOW, messages), RUN);
    }

    @Override
    public boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        return publishers.turn(nowNanos);
    }

    private static final class NonAcknowledging implements AttackerBehaviour {
        @Override
        public boolean acknowledges() {
            return false;
        }
    }
}

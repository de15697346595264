package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Subscribe;

/** Subscribers with QoS 1 that stop reading as soon as they are subscribed, while publishers go on. */
public final class StalledReaders implements Flood {
    private static final int RUN = 1;

    private final FloodPublishers publishers;

    public StalledReaders(AttackContext context, int readers, int publishers, int payloadBytes, int window) {
        String topic = context.topic("stalled");
        Subscribe subscribe = new Subscribe(topic, 1);
        new Crowd(
                        context,
                        readers,
                        new Stalled(),
                        number -> context.clients().transientClient("stalled-" + number, subscribe))
                .connect();
        this.publishers = new FloodPublishers(
                context,
                "stalled-pub",
                new FloodPublishers.Load(publishers, topic, 1, payloadBytes, window, Long.MAX_VALUE),
                RUN);
    }

    // A reader that does not read does not see that the broker closes it, so none is opened again.
    @Override
    public boolean turn(long nowNanos) {
        return publishers.turn(nowNanos);
    }

    private static final class Stalled implements Conduct {
        @Override
        public void ready(Attacker attacker) {
            attacker.stopReading();
        }
    }
}

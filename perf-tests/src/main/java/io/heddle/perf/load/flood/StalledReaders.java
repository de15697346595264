package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Subscribe;

/** QoS 1 subscribers that stop reading after SUBACK, while publishers continue. */
public final class StalledReaders implements Flood {
    private static final int RUN = 1;

    private final FloodPublishers publishers;

    public StalledReaders(AttackContext context, int readers, int publishers, int payloadBytes, int window) {
        String topic = context.topic("stalled");
        Subscribe subscribe = new Subscribe(topic, 1);
        new AttackerPool(
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

    // A client that does not read cannot detect that the broker has closed its connection, so none is reopened.
    @Override
    public boolean turn(long nowNanos) {
        return publishers.turn(nowNanos);
    }

    private static final class Stalled implements AttackerBehaviour {
        @Override
        public void onReady(Attacker attacker) {
            attacker.stopReading();
        }
    }
}

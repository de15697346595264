package io.heddle.perf.load.flood;

import io.heddle.perf.load.accounting.Flows;
import io.heddle.perf.load.accounting.Groups;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.wire.Stamp;
import java.nio.ByteBuffer;
import java.util.Map;

/** Large QoS 0 messages to fast subscribers; counts the copies that the broker drops. */
public final class FastReaders implements Flood {
    private static final int RUN = 0x46415354;
    private static final long QUIET_NANOS = 2_000_000_000L;

    private final AttackContext context;
    private final int readers;
    private final AttackerPool pool;
    private final FloodPublishers publishers;
    private final Flows flows;

    public FastReaders(AttackContext context, int publishers, int readers, int payloadBytes) {
        this.context = context;
        this.readers = readers;
        String topic = context.topic("fast");
        Subscribe subscribe = new Subscribe(topic, 0);
        pool = new AttackerPool(
                        context,
                        readers,
                        new Counting(),
                        number -> context.clients().transientClient("fast-" + number, subscribe))
                .connect();
        this.publishers = new FloodPublishers(
                context,
                "fast-pub",
                new FloodPublishers.Load(publishers, topic, 0, payloadBytes, 0, Long.MAX_VALUE),
                RUN);
        flows = new Flows(new Groups(1, publishers, readers), this.publishers.published());
    }

    @Override
    public boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        return publishers.turn(nowNanos);
    }

    @Override
    public void end() {
        long missing = flows.missing();
        long progressNanos = System.nanoTime();
        while (missing > 0 && System.nanoTime() - progressNanos < QUIET_NANOS) {
            context.loop().turn(1);
            long before = missing;
            missing = flows.missing();
            if (missing != before) {
                progressNanos = System.nanoTime();
            }
        }
    }

    @Override
    public void addTo(Map<String, Long> totals) {
        long due = 0;
        for (long count : publishers.published()) {
            due += count * readers;
        }
        totals.put("flood: copies due", due);
        totals.put("flood: copies delivered", flows.delivered());
        totals.put("flood: copies lost", flows.missing());
        totals.put("flood: copies duplicated", flows.duplicated());
        totals.put("flood: copies reordered", flows.reordered());
    }

    private final class Counting implements AttackerBehaviour {
        @Override
        public void onDelivered(Attacker attacker, ByteBuffer in, int payloadAt, int payloadLength) {
            if (payloadLength >= Stamp.BYTES && Stamp.run(in, payloadAt) == RUN) {
                flows.delivered(attacker.number(), Stamp.publisher(in, payloadAt), Stamp.sequence(in, payloadAt));
            }
        }
    }
}

package io.heddle.perf.load.flood;

import io.heddle.perf.load.wire.LargePackets;
import io.heddle.perf.load.wire.MqttVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Clients with many subscriptions whose connections end all at once, without DISCONNECT; then they connect and subscribe again,
 * until the next cut.
 */
public final class DyingClients implements Flood {
    private static final int PACKET_ID = 1;
    private static final long STALLED_NANOS = 10_000_000_000L;

    private final AttackContext context;
    private final int filters;
    private final Crowd crowd;
    private int subscribed;
    private long subscribedAt = System.nanoTime();
    private long cuts;

    /** Connects them and waits until all have subscribed, or no further one is answered. */
    public DyingClients(AttackContext context, int clients, int filters) {
        this.context = context;
        this.filters = filters;
        crowd = new Crowd(
                context,
                clients,
                new Subscribing(),
                number -> context.clients().transientClient("dying-" + number, null));
        context.progress("Subscribing to " + (long) clients * filters + " filters");
        crowd.connect();
        while (subscribed < clients && !isStalled(System.nanoTime())) {
            context.checkStopped();
            context.loop().turn(1);
        }
    }

    @Override
    public boolean turn(long nowNanos) {
        if (crowd.ready() > 0 && (subscribed >= crowd.members().size() || isStalled(nowNanos))) {
            cuts++;
            subscribed = 0;
            subscribedAt = nowNanos;
            crowd.cut();
        }
        crowd.turn(nowNanos);
        return false;
    }

    @Override
    public void addTo(Map<String, Long> totals) {
        totals.put("flood: cuts", cuts);
    }

    private boolean isStalled(long nowNanos) {
        return nowNanos - subscribedAt > STALLED_NANOS;
    }

    private final class Subscribing implements Conduct {
        @Override
        public void ready(Attacker attacker) {
            List<String> texts = new ArrayList<>(filters);
            for (int filter = 0; filter < filters; filter++) {
                texts.add(context.topic("dying/" + attacker.number() + "/" + filter));
            }
            attacker.send(ByteBuffer.wrap(LargePackets.subscribe(MqttVersion.V5, PACKET_ID, texts, 0)), 1);
        }

        @Override
        public void answered(Attacker attacker) {
            subscribed++;
            subscribedAt = System.nanoTime();
        }
    }
}

package io.heddle.perf.load.flood;

import io.heddle.perf.load.wire.LargePackets;
import io.heddle.perf.load.wire.MqttVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Clients with many subscriptions whose sockets are all closed at the same time, without DISCONNECT. Then they connect and subscribe again.
 */
public final class DyingClients implements Flood {
    private static final int PACKET_ID = 1;
    private static final long STALLED_NANOS = 10_000_000_000L;

    private final AttackContext context;
    private final int filters;
    private final AttackerPool pool;
    private int subscribed;
    private long subscribedAt = System.nanoTime();
    private long cuts;

    /** Connects the clients and waits until all have subscribed, or until there is no more progress. */
    public DyingClients(AttackContext context, int clients, int filters) {
        this.context = context;
        this.filters = filters;
        pool = new AttackerPool(
                context,
                clients,
                new Subscribing(),
                number -> context.clients().transientClient("dying-" + number, null));
        context.progress("Subscribing to " + (long) clients * filters + " filters");
        pool.connect();
        while (subscribed < clients && !isStalled(System.nanoTime())) {
            context.checkStopped();
            context.loop().turn(1);
        }
    }

    @Override
    public boolean turn(long nowNanos) {
        if (pool.ready() > 0 && (subscribed >= pool.members().size() || isStalled(nowNanos))) {
            cuts++;
            subscribed = 0;
            subscribedAt = nowNanos;
            pool.cut();
        }
        pool.turn(nowNanos);
        return false;
    }

    @Override
    public void addTo(Map<String, Long> totals) {
        totals.put("flood: cuts", cuts);
    }

    private boolean isStalled(long nowNanos) {
        return nowNanos - subscribedAt > STALLED_NANOS;
    }

    private final class Subscribing implements AttackerBehaviour {
        @Override
        public void onReady(Attacker attacker) {
            List<String> texts = new ArrayList<>(filters);
            for (int filter = 0; filter < filters; filter++) {
                texts.add(context.topic("dying/" + attacker.number() + "/" + filter));
            }
            attacker.send(ByteBuffer.wrap(LargePackets.subscribe(MqttVersion.V5, PACKET_ID, texts, 0)), 1);
        }

        @Override
        public void onSubscriptionChanged(Attacker attacker) {
            subscribed++;
            subscribedAt = System.nanoTime();
        }
    }
}

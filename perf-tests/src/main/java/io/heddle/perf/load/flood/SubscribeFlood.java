package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.wire.LargePackets;
import io.heddle.perf.load.wire.MqttVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Persistent clients that subscribe to many long filters and unsubscribe, without waiting for acknowledgements. */
public final class SubscribeFlood implements Flood {
    private static final int MAXIMUM_PACKET_ID = 0xFFFF;

    private final AttackerPool pool;
    // By client: SUBSCRIBE and UNSUBSCRIBE.
    private final List<byte[][]> packets = new ArrayList<>();
    private final long[] sent;

    public SubscribeFlood(AttackContext context, int clients, int filters, int filterBytes) {
        sent = new long[clients];
        for (int client = 0; client < clients; client++) {
            List<String> texts = new ArrayList<>();
            for (int filter = 0; filter < filters; filter++) {
                String text = context.topic("subscribe/" + client + "/" + filter + "/");
                texts.add(text + "x".repeat(Math.max(1, filterBytes - text.length())));
            }
            packets.add(new byte[][] {
                LargePackets.subscribe(MqttVersion.V5, 1, texts, 1), LargePackets.unsubscribe(MqttVersion.V5, 1, texts)
            });
        }
        pool = new AttackerPool(
                        context,
                        clients,
                        AttackerBehaviour.ORDINARY,
                        number -> context.clients().persistentClient("subscribe-" + number, false, null))
                .connect();
    }

    @Override
    public boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        boolean more = false;
        for (Attacker attacker : pool.members()) {
            Connection to = attacker.writableConnection();
            if (to != null) {
                long number = sent[attacker.number()]++;
                byte[] packet = packets.get(attacker.number())[(int) (number % 2)];
                LargePackets.setPacketId(packet, (int) (number % MAXIMUM_PACKET_ID) + 1);
                attacker.send(ByteBuffer.wrap(packet), 1);
                more |= to.isWritable();
            }
        }
        return more;
    }

    @Override
    public void cleanUp(AttackContext context) {
        context.visit(sent.length, number -> context.clients().transientClient("subscribe-" + number, null));
    }
}

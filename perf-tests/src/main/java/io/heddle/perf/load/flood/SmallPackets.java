package io.heddle.perf.load.flood;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.wire.PacketType;
import io.heddle.perf.load.wire.PacketWriter;
import java.nio.ByteBuffer;

/** Clients that send very short packets as fast as their sockets accept data. */
public final class SmallPackets implements Flood {
    private static final int BLOCK_BYTES = 64 * 1024;

    /** The packet that is sent. */
    public enum Packet {
        /** Acknowledges messages that the broker has never sent; four bytes. */
        PUBACK,
        /** Must be answered; two bytes. */
        PINGREQ
    }

    private final AttackerPool pool;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final int blockPackets;

    public SmallPackets(AttackContext context, int clients, Packet packet) {
        int count = 0;
        while (block.remaining() >= PacketWriter.SHORT_PACKET_BYTES) {
            count++;
            switch (packet) {
                case PUBACK -> PacketWriter.acknowledgement(block, PacketType.PUBACK, count);
                case PINGREQ -> PacketWriter.pingReq(block);
            }
        }
        blockPackets = count;
        block.flip();
        pool = new AttackerPool(
                        context,
                        clients,
                        AttackerBehaviour.ORDINARY,
                        number -> context.clients().transientClient("small-" + number, null))
                .connect();
    }

    @Override
    public boolean turn(long nowNanos) {
        pool.turn(nowNanos);
        boolean more = false;
        for (Attacker attacker : pool.members()) {
            Connection to = attacker.writableConnection();
            if (to != null) {
                attacker.send(block.duplicate(), blockPackets);
                more |= to.isWritable();
            }
        }
        return more;
    }
}

package io.heddle.perf.load.client;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** A client that neither publishes nor subscribes. */
public final class IdleRole implements Role {
    private final Consumer<String> onBroken;

    public IdleRole(Consumer<String> onBroken) {
        this.onBroken = onBroken;
    }

    @Override
    public void delivered(ByteBuffer in, int payloadAt, int payloadLength, long nowNanos) {
        onBroken.accept("a message to a client without subscriptions");
    }

    @Override
    public void acknowledged(int packetId, int reasonCode, long nowNanos) {
        onBroken.accept("an unexpected acknowledgement");
    }

    @Override
    public void completed(int packetId) {
        onBroken.accept("an unexpected acknowledgement");
    }

    @Override
    public void writable() {}

    @Override
    public void broken(String reason) {
        onBroken.accept(reason);
    }
}

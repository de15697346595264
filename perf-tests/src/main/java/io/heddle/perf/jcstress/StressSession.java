package io.heddle.perf.jcstress;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import java.time.Duration;

/** A session without deliveries, which tests subscribe and unsubscribe. */
final class StressSession implements LocalSession {
    private static final EventLoop LOOP = new NoLoop();

    /** The number in outcomes, 1 or more. */
    final int number;

    private final ClientId clientId;

    StressSession() {
        this(1);
    }

    StressSession(int number) {
        this.number = number;
        this.clientId = new ClientId("client-" + number);
    }

    @Override
    public ClientId clientId() {
        return clientId;
    }

    @Override
    public EventLoop eventLoop() {
        return LOOP;
    }

    @Override
    public DeliveryCapacity capacity() {
        return DeliveryCapacity.READY;
    }

    @Override
    public boolean isConnected() {
        return true;
    }

    @Override
    public void disconnect(ReasonCode reason) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        throw new IllegalStateException("this test delivers nothing");
    }

    private static final class NoLoop implements EventLoop {
        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public void execute(Runnable task) {
            throw new UnsupportedOperationException("this test runs no tasks");
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void inBackground(BackgroundWork work) {
            throw new UnsupportedOperationException("this test runs no tasks");
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("this test runs no tasks");
        }
    }
}

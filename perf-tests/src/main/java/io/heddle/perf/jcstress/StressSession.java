package io.heddle.perf.jcstress;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.subscription.DeliveryCapacity;
import io.heddle.core.subscription.DeliveryTerms;
import io.heddle.core.subscription.LocalSession;
import java.time.Duration;

/** A session that is subscribed and unsubscribed, and to which nothing is delivered. */
final class Visitor implements LocalSession {
    private static final EventLoop LOOP = new NoLoop();

    /** For those that an outcome names, 1 or more. */
    final int number;

    private final ClientId clientId;

    Visitor() {
        this(1);
    }

    Visitor(int number) {
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
    public boolean deliver(PublishMessage message, DeliveryTerms terms) {
        throw new IllegalStateException("nothing is delivered");
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
            throw new UnsupportedOperationException("nothing runs here");
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void inBackground(BackgroundWork work) {
            throw new UnsupportedOperationException("nothing runs here");
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException("nothing runs here");
        }
    }
}

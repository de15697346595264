package io.heddle.perf.load.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A broker for tests, small enough to be right at a glance, that also does wrong on demand. Blocking, a virtual thread per
 * connection. Counts what it saw.
 */
final class SmallBroker implements AutoCloseable {
    final Mischief mischief;
    final List<SmallConnection> connections = new CopyOnWriteArrayList<>();
    final List<String> connects = new CopyOnWriteArrayList<>();
    final List<String> subscribes = new CopyOnWriteArrayList<>();
    final AtomicInteger pings = new AtomicInteger();
    final AtomicInteger disconnects = new AtomicInteger();
    final AtomicInteger subscriberAcknowledgements = new AtomicInteger();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final ServerSocket listener;

    SmallBroker(Mischief mischief) throws IOException {
        this.mischief = mischief;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("small-broker").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        while (!listener.isClosed()) {
            Socket socket;
            try {
                socket = listener.accept();
            } catch (IOException closed) {
                return;
            }
            SmallConnection connection = new SmallConnection(this, socket);
            connections.add(connection);
            Thread.ofVirtual().name("small-connection").start(connection::serve);
        }
    }

    /** Hands a message to each subscriber, as wrong as it is to be. */
    synchronized void publish(String topic, byte[] payload) {
        for (SmallConnection connection : connections) {
            if (connection.wants(topic)) {
                boolean wrong =
                        mischief.deliveryEvery() > 0 && deliveries.incrementAndGet() % mischief.deliveryEvery() == 0;
                connection.deliver(topic, payload, wrong ? mischief.delivery() : Mischief.Delivery.ONCE);
            }
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
            for (SmallConnection connection : connections) {
                connection.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

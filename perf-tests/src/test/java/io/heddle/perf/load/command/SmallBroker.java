package io.heddle.perf.load.command;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A minimal broker for tests, with faults on demand. Uses blocking I/O and a virtual thread per connection, and records received packets.
 */
final class SmallBroker implements AutoCloseable {
    final BrokerMisbehaviour misbehaviour;
    private final List<SmallBroker> peers = new CopyOnWriteArrayList<>();
    final List<SmallConnection> connections = new CopyOnWriteArrayList<>();
    final List<String> connects = new CopyOnWriteArrayList<>();
    final List<String> subscribes = new CopyOnWriteArrayList<>();
    final List<String> retained = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger pings = new AtomicInteger();
    final AtomicInteger disconnects = new AtomicInteger();
    final AtomicInteger subscriberAcknowledgements = new AtomicInteger();
    private final AtomicInteger deliveries = new AtomicInteger();
    private final ServerSocket listener;

    SmallBroker(BrokerMisbehaviour misbehaviour) throws IOException {
        this.misbehaviour = misbehaviour;
        listener = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("small-broker").start(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Makes the brokers nodes of one cluster: a message to one of them reaches the subscribers of all. */
    static void cluster(SmallBroker... brokers) {
        for (SmallBroker each : brokers) {
            each.peers.addAll(List.of(brokers));
            each.peers.remove(each);
        }
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

    /** Delivers a message to each subscriber, possibly with a fault. */
    void publish(String topic, byte[] payload) {
        deliver(topic, payload);
        for (SmallBroker peer : peers) {
            peer.deliver(topic, payload);
        }
    }

    private synchronized void deliver(String topic, byte[] payload) {
        for (SmallConnection connection : connections) {
            if (connection.wants(topic)) {
                boolean wrong = misbehaviour.deliveryEvery() > 0
                        && deliveries.incrementAndGet() % misbehaviour.deliveryEvery() == 0;
                connection.deliver(topic, payload, wrong ? misbehaviour.delivery() : BrokerMisbehaviour.Delivery.ONCE);
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

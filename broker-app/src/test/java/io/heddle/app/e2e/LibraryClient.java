package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A client of one library and protocol version. Every call blocks until the broker has answered; messages arrive on the library's
 * threads. One test thread.
 */
abstract sealed class LibraryClient implements AutoCloseable
        permits HiveMq5Client, HiveMq3Client, Paho3Client, Paho5Client {
    private final String clientId;
    private final Queue<ReceivedMessage> received = new ConcurrentLinkedQueue<>();

    LibraryClient(String clientId) {
        this.clientId = clientId;
        FailureReport.add(this, () -> FailureReport.received(clientId, received()));
    }

    final void arrived(String topic, byte[] payload, int qos, boolean retain) {
        received.add(new ReceivedMessage(topic, new String(payload, UTF_8), qos, retain));
    }

    final String clientId() {
        return clientId;
    }

    /** Connects or reconnects, and returns the Session Present flag. */
    abstract boolean connect(Connecting how) throws Exception;

    abstract void subscribe(String topicFilter, int qos) throws Exception;

    abstract void unsubscribe(String topicFilter) throws Exception;

    /** Publishes a message; returns when its QoS exchange is complete. */
    abstract void publish(String topic, String payload, int qos, boolean retain) throws Exception;

    /** Returns the messages so far, in the order of arrival. */
    final List<ReceivedMessage> received() {
        return List.copyOf(received);
    }

    /** Returns whether the library has a connection. */
    abstract boolean hasConnection();

    /** Returns whether the client is connected; a client that is not can connect again. */
    boolean isConnected() {
        return hasConnection();
    }

    /** Sends DISCONNECT. */
    abstract void disconnect() throws Exception;

    /** Releases what the library holds without a connection. */
    void release() throws Exception {}

    /** Closes the client in any state. */
    @Override
    public final void close() {
        FailureReport.remove(this);
        try {
            disconnectIfConnected();
            release();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void disconnectIfConnected() throws Exception {
        try {
            if (hasConnection()) {
                disconnect();
            }
        } catch (Exception e) {
            // The connection may have ended meanwhile.
            if (hasConnection()) {
                throw e;
            }
        }
    }

    final void publish(String topic, String payload, int qos) throws Exception {
        publish(topic, payload, qos, false);
    }

    /** Returns the payloads so far, in the order of arrival. */
    final List<String> payloads() {
        return received().stream().map(ReceivedMessage::payload).toList();
    }
}

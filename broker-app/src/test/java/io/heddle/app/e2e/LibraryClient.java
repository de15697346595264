package io.heddle.app.e2e;

import java.util.List;

/**
 * A client of one library and protocol version. Every call blocks until the broker has answered; messages arrive on the library's
 * threads. One test thread.
 */
sealed interface LibraryClient extends AutoCloseable permits HiveMq5Client, HiveMq3Client, PahoClient {
    String clientId();

    /** Connects or reconnects, and returns the Session Present flag. */
    boolean connect(Connecting how) throws Exception;

    void subscribe(String topicFilter, int qos) throws Exception;

    void unsubscribe(String topicFilter) throws Exception;

    /** Publishes a message; returns when its QoS exchange is complete. */
    void publish(String topic, String payload, int qos, boolean retain) throws Exception;

    /** Returns the messages so far, in the order of arrival. */
    List<ReceivedMessage> received();

    /** Returns whether the client is connected; a client that is not can connect again. */
    boolean isConnected();

    /** Sends DISCONNECT. */
    void disconnect() throws Exception;

    /** Closes the client in any state. */
    @Override
    void close();

    default void publish(String topic, String payload, int qos) throws Exception {
        publish(topic, payload, qos, false);
    }

    /** Returns the payloads so far, in the order of arrival. */
    default List<String> payloads() {
        return received().stream().map(ReceivedMessage::payload).toList();
    }
}

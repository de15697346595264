package io.heddle.app.e2e;

import java.util.List;

/**
 * An ordinary client of one library and protocol version, as a test uses it. Every call blocks until the broker has answered;
 * messages arrive on the library's threads. One test thread.
 */
sealed interface LibraryClient extends AutoCloseable permits HiveMq5Client, HiveMq3Client, PahoClient {
    /** Its Client Identifier. */
    String clientId();

    /** Connects, for the first time or again, and says whether the broker had a session for it. */
    boolean connect(Connecting how) throws Exception;

    void subscribe(String topicFilter, int qos) throws Exception;

    void unsubscribe(String topicFilter) throws Exception;

    /** Returns when the exchange of the quality of service is over. */
    void publish(String topic, String payload, int qos, boolean retain) throws Exception;

    /** What has arrived so far, in the order of arrival. */
    List<ReceivedMessage> received();

    /** Whether it has a connection; when it has none, it can connect again. */
    boolean isConnected();

    /** Says good-bye. */
    void disconnect() throws Exception;

    /** Ends the client in whatever state it is. */
    @Override
    void close();

    default void publish(String topic, String payload, int qos) throws Exception {
        publish(topic, payload, qos, false);
    }

    /** The payloads that have arrived so far. */
    default List<String> payloads() {
        return received().stream().map(ReceivedMessage::payload).toList();
    }
}

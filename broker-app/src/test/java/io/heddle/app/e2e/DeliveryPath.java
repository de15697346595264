package io.heddle.app.e2e;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Paths of QoS 1 and 2 messages to a subscriber. The path follows from the lifetime of its session and the type of its client. */
enum DeliveryPath {
    /** From memory, to a session that ends with its connection. */
    DIRECT,
    /** Through a queue in Redis, to a persistent session of a DEVICE client. */
    DEVICE,
    /** Through a topic in Kafka, to a persistent session of an APPLICATION client. */
    APPLICATION;

    static final String APPLICATION_PREFIX = "app-";

    /** Makes clients with identifiers of {@link #APPLICATION} APPLICATION clients. */
    static final String SETTING = "--heddle.authentication.anonymous.application-clients=" + APPLICATION_PREFIX + "*";

    boolean isPersistent() {
        return this != DIRECT;
    }

    Connecting connecting() {
        return isPersistent() ? Connecting.persistently() : Connecting.clean();
    }

    /** Returns a unique identifier, short enough for MQTT 3.1. */
    String newClientId() {
        return this == APPLICATION ? Library.newClientId(APPLICATION_PREFIX) : Library.newClientId();
    }

    /** Returns a connected client of a library. */
    LibraryClient connected(Library library, int port) throws Exception {
        LibraryClient client = library.client(port, newClientId());
        client.connect(connecting());
        return client;
    }

    /** Returns the paths to persistent sessions. */
    static Stream<DeliveryPath> persistent() {
        return Arrays.stream(values()).filter(DeliveryPath::isPersistent);
    }

    /** Returns the parameters of tests with each library on each path. */
    static Stream<Arguments> eachLibrary() {
        return pairs(Arrays.stream(values()));
    }

    /** Returns the parameters of tests with each library on each path to persistent sessions. */
    static Stream<Arguments> eachLibraryPersistent() {
        return pairs(persistent());
    }

    private static Stream<Arguments> pairs(Stream<DeliveryPath> paths) {
        return paths.flatMap(path -> Arrays.stream(Library.values()).map(library -> Arguments.of(library, path)));
    }
}

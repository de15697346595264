package io.heddle.app.e2e;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** The ways that messages of QoS 1 and 2 take to a subscriber: by how long its session lasts and by the type of its client. */
enum Way {
    /** From memory, to a session that ends with its connection. */
    DIRECT,
    /** Through a queue in Redis, to a session of a DEVICE client that outlives its connection. */
    DEVICE,
    /** Through a topic in Kafka, to one of an APPLICATION client. */
    APPLICATION;

    private static final String APPLICATION_PREFIX = "app-";

    /** Makes a broker know the client ids that are given here to APPLICATION clients. */
    static final String SETTING = "--heddle.authentication.anonymous.application-clients=" + APPLICATION_PREFIX + "*";

    /** Whether the session outlives its connection. */
    boolean lasts() {
        return this != DIRECT;
    }

    /** How a client on this way connects. */
    Connecting connecting() {
        return lasts() ? Connecting.persistently() : Connecting.clean();
    }

    /** An id that no other client has, short enough for MQTT 3.1. */
    String newClientId() {
        return this == APPLICATION ? Library.newClientId(APPLICATION_PREFIX) : Library.newClientId();
    }

    /** A connected client of a library with an id of its own. */
    LibraryClient connected(Library library, int port) throws Exception {
        LibraryClient client = library.client(port, newClientId());
        client.connect(connecting());
        return client;
    }

    /** Those whose sessions outlive their connections. */
    static Stream<Way> lasting() {
        return Arrays.stream(values()).filter(Way::lasts);
    }

    /** For parameterized tests: each library on each way. */
    static Stream<Arguments> eachLibrary() {
        return pairs(Arrays.stream(values()));
    }

    /** For parameterized tests: each library on the ways of sessions that outlive their connections. */
    static Stream<Arguments> eachLibraryLasting() {
        return pairs(lasting());
    }

    private static Stream<Arguments> pairs(Stream<Way> ways) {
        return ways.flatMap(way -> Arrays.stream(Library.values()).map(library -> Arguments.of(library, way)));
    }
}

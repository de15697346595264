package io.heddle.app.e2e;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * State that a failing wait prints: the metrics of the running brokers and the messages that the clients have received. Brokers and
 * clients of the tests register themselves. Thread-safe.
 */
final class FailureReport {
    /** Clients that earlier tests left open say nothing about the test that fails. */
    private static final int MAXIMUM_SOURCES = 40;
    /** Packets shown of each client. */
    private static final int SHOWN_PACKETS = 30;

    private static final int SHOWN_CHARACTERS = 120;

    private static final Map<Object, Supplier<String>> SOURCES = new LinkedHashMap<>();

    private FailureReport() {}

    /** Adds a broker or a client until {@link #remove}; its state is asked for only when a wait fails. */
    static void add(Object source, Supplier<String> state) {
        synchronized (SOURCES) {
            SOURCES.put(source, state);
            if (SOURCES.size() > MAXIMUM_SOURCES) {
                SOURCES.remove(SOURCES.keySet().iterator().next());
            }
        }
    }

    static void remove(Object source) {
        synchronized (SOURCES) {
            SOURCES.remove(source);
        }
    }

    /** Returns the state of all sources, one paragraph each. */
    static String text() {
        List<Supplier<String>> states;
        synchronized (SOURCES) {
            states = List.copyOf(SOURCES.values());
        }
        StringBuilder text = new StringBuilder();
        for (Supplier<String> state : states) {
            text.append("\n\n").append(stateOf(state));
        }
        return text.toString();
    }

    private static String stateOf(Supplier<String> state) {
        try {
            return state.get();
        } catch (RuntimeException e) {
            return "(no state: " + e + ")";
        }
    }

    /** Describes what a client has received: how much, and the latest packets, cut to one line each. */
    static String received(String client, List<?> packets) {
        List<String> lines = new ArrayList<>();
        lines.add(client + " received " + packets.size() + (packets.size() > SHOWN_PACKETS ? "; the latest:" : ":"));
        for (Object packet : packets.subList(Math.max(0, packets.size() - SHOWN_PACKETS), packets.size())) {
            String line = packet.toString();
            lines.add("  " + (line.length() > SHOWN_CHARACTERS ? line.substring(0, SHOWN_CHARACTERS) + "…" : line));
        }
        return String.join("\n", lines);
    }
}

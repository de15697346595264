package io.heddle.app.e2e.faults;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one publisher on one topic at one QoS, numbered from 1 in the order of sending. Forgets messages that all sessions have.
 * Confined to the clients' event loop.
 */
final class MessageStream {
    /** What may be expected of the deliveries of a stream. */
    enum Kind {
        MESSAGES,
        RETAINED,
        /** Each connection has one message, which is due when the connection is lost. Wills of several connections have no order. */
        WILLS
    }

    /** One message. All moments are those of {@link Ledger#next}. */
    static final class Sent {
        final MessageStream stream;
        final int number;
        /** Number of the publisher's connection over which it was first sent. */
        final int connection;

        long sent;
        long acknowledged = Ledger.NEVER;
        /** The publisher will not learn whether the broker has it. */
        boolean abandoned;

        private Sent(MessageStream stream, int number, int connection, long sent) {
            this.stream = stream;
            this.number = number;
            this.connection = connection;
            this.sent = sent;
        }

        boolean isAcknowledged() {
            return acknowledged != Ledger.NEVER;
        }

        boolean isFinal() {
            return abandoned || isAcknowledged();
        }

        String payload() {
            return stream.name + ":" + number;
        }

        @Override
        public String toString() {
            return payload() + " on " + stream.topic + " at QoS " + stream.qos + " (sent at " + sent
                    + (isAcknowledged() ? ", acknowledged at " + acknowledged : "") + ")";
        }
    }

    final String name;
    final String topic;
    final int qos;
    final Kind kind;
    private final Deque<Sent> open = new ArrayDeque<>();
    private final BitSet repeated = new BitSet();
    private int count;
    private int lastAcknowledged;

    /** @param name unique; without a colon */
    MessageStream(String name, String topic, int qos, Kind kind) {
        this.name = name;
        this.topic = topic;
        this.qos = qos;
        this.kind = kind;
    }

    /** Returns the name of the stream of a payload. */
    static String nameOf(String payload) {
        return payload.substring(0, payload.lastIndexOf(':'));
    }

    /** Returns the number of a payload. */
    static int numberOf(String payload) {
        return Integer.parseInt(payload.substring(payload.lastIndexOf(':') + 1));
    }

    Sent next(int connection, long moment) {
        count++;
        Sent sent = new Sent(this, count, connection, moment);
        open.add(sent);
        return sent;
    }

    int count() {
        return count;
    }

    /** Returns the number of the last acknowledged message; 0 before the first one. */
    int lastAcknowledged() {
        return lastAcknowledged;
    }

    void acknowledged(Sent sent, long moment) {
        sent.acknowledged = moment;
        lastAcknowledged = Math.max(lastAcknowledged, sent.number);
    }

    /** The publisher has sent the message again. */
    void repeated(Sent sent) {
        repeated.set(sent.number);
    }

    boolean isRepeated(int number) {
        return repeated.get(number);
    }

    /** Returns a message; null if it was forgotten. */
    @Nullable
    Sent find(int number) {
        Iterator<Sent> latestFirst = open.descendingIterator();
        while (latestFirst.hasNext()) {
            Sent sent = latestFirst.next();
            if (sent.number <= number) {
                return sent.number == number ? sent : null;
            }
        }
        return null;
    }

    /** Forgets the first messages up to one that is not settled, and returns the remaining ones. */
    Iterable<Sent> forgetSettled(Predicate<Sent> isSettled) {
        while (!open.isEmpty() && open.getFirst().isFinal() && isSettled.test(open.getFirst())) {
            open.removeFirst();
        }
        return open;
    }
}

package io.heddle.core.session.registrar.remote;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.Departure;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.OpenRequest;
import io.heddle.core.session.registrar.SubscriptionChange;
import io.heddle.core.session.registrar.TransientClient;
import java.util.List;

/**
 * A request to the holder of a bucket, its answer, or a frame of the holder. An answer has the number of its request. A request names the
 * end of the log of nodes as of which its sender has found the holder, so that the receiver can tell whether it is meant as the holder
 * that it is now.
 *
 * <pre>
 * u8   version, 1
 * u8   kind
 * i64  number                            (requests and answers)
 * i64  end of the log of nodes           (requests, announcement)
 * i64  offset of the record with which the holder has taken the bucket   (close)
 *      the request or answer: {@link RequestFormat}, {@link AnswerFormat}
 * </pre>
 */
sealed interface RegistrarFrame {
    /** The version that all nodes read and write. */
    int VERSION = 2;

    /** The number of requests without an answer. */
    long UNANSWERED = 0;

    /** A request to the holder of a bucket. */
    sealed interface Request extends RegistrarFrame {
        /** Returns the number of the request at its sender, or {@link #UNANSWERED}. Its remainder by the number of buckets is the bucket. */
        long number();

        /** Returns the end of the log of nodes as of which the sender has found the holder. */
        long asOf();
    }

    /** An answer of the holder. */
    sealed interface Answer extends RegistrarFrame {
        /** Returns the number of the request. */
        long number();
    }

    /** A client asks for its session. */
    record Open(long number, long asOf, OpenRequest request) implements Request {}

    /** A connection is lost. */
    record Leave(long number, long asOf, Departure departure) implements Request {}

    /** A client changes its subscriptions. */
    record Change(long number, long asOf, SubscriptionChange change) implements Request {}

    /**
     * The node has one connection of a client, or none; others that an earlier holder has granted are lost.
     *
     * @param heldEpoch of the connection, or 0
     */
    record Absent(long number, long asOf, ClientId clientId, long heldEpoch) implements Request {}

    /**
     * The answer to {@link Open}.
     *
     * @param followed the offset up to which the node follows the log of the clients before it uses the session
     */
    record Opened(long number, long followed, OpenOutcome outcome) implements Answer {}

    /**
     * The answer to {@link Leave} and {@link Absent}.
     *
     * @param isDurable whether the departure is durable; else its commit has failed and is repeated
     */
    record Left(long number, boolean isDurable) implements Answer {}

    /** The answer to {@link Change}. */
    record Changed(long number, ChangeOutcome outcome) implements Answer {}

    /** The receiver is not the holder any more. The request was not handled, and is repeated when the view of its sender has changed. */
    record Again(long number) implements Answer {}

    /**
     * The client has connected again: its connection with this epoch ends. Answered by {@link Leave}, or by {@link Absent}.
     *
     * @param took the offset of the record with which the holder has taken the bucket
     */
    record Close(long took, ClientId clientId, long epoch) implements RegistrarFrame {}

    /**
     * The node has these clients without persistent sessions. Frames with {@link #MAXIMUM_CLIENTS} clients are followed by a further one.
     *
     * @param bucket of all clients
     */
    record Announce(long asOf, int bucket, List<TransientClient> clients) implements Request {
        static final int MAXIMUM_CLIENTS = 500;

        public Announce {
            clients = List.copyOf(clients);
        }

        /** Returns whether the node has announced all its clients with this frame and those before it. */
        boolean isLast() {
            return clients.size() < MAXIMUM_CLIENTS;
        }

        @Override
        public long number() {
            return UNANSWERED;
        }
    }

    /** Returns the bytes of the frame. */
    default byte[] encode() {
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        switch (this) {
            case Open(long number, long asOf, OpenRequest request) ->
                RequestFormat.write(request, out.u8(Kind.OPEN).i64(number).i64(asOf));
            case Leave(long number, long asOf, Departure departure) ->
                RequestFormat.write(departure, out.u8(Kind.LEAVE).i64(number).i64(asOf));
            case Change(long number, long asOf, SubscriptionChange change) ->
                RequestFormat.write(change, out.u8(Kind.CHANGE).i64(number).i64(asOf));
            case Absent(long number, long asOf, ClientId clientId, long heldEpoch) ->
                out.u8(Kind.ABSENT).i64(number).i64(asOf).text(clientId.value()).i64(heldEpoch);
            case Opened(long number, long followed, OpenOutcome outcome) ->
                AnswerFormat.write(outcome, out.u8(Kind.OPENED).i64(number).i64(followed));
            case Left(long number, boolean isDurable) ->
                out.u8(Kind.LEFT).i64(number).u8(isDurable ? 1 : 0);
            case Changed(long number, ChangeOutcome outcome) ->
                AnswerFormat.write(outcome, out.u8(Kind.CHANGED).i64(number));
            case Again(long number) -> out.u8(Kind.AGAIN).i64(number);
            case Close(long took, ClientId clientId, long epoch) ->
                out.u8(Kind.CLOSE).i64(took).text(clientId.value()).i64(epoch);
            case Announce(long asOf, int bucket, List<TransientClient> clients) ->
                RequestFormat.write(clients, out.u8(Kind.ANNOUNCE).i64(asOf).u32(bucket));
        }
        return out.toBytes();
    }

    /**
     * Reads a frame.
     *
     * @throws io.heddle.core.message.frame.MalformedFrameException if it is truncated or of another version
     */
    static RegistrarFrame decode(byte[] bytes) {
        FrameReader in = new FrameReader("a frame of the registrar", bytes);
        in.version(VERSION);
        int kind = in.u8();
        RegistrarFrame frame = switch (kind) {
            case Kind.OPEN -> new Open(in.i64(), in.i64(), RequestFormat.readOpenRequest(in));
            case Kind.LEAVE -> new Leave(in.i64(), in.i64(), RequestFormat.readDeparture(in));
            case Kind.CHANGE -> new Change(in.i64(), in.i64(), RequestFormat.readChange(in));
            case Kind.OPENED -> new Opened(in.i64(), in.i64(), AnswerFormat.readOpenOutcome(in));
            case Kind.LEFT -> new Left(in.i64(), in.u8() != 0);
            case Kind.CHANGED -> new Changed(in.i64(), AnswerFormat.readChangeOutcome(in));
            case Kind.CLOSE -> new Close(in.i64(), new ClientId(in.text()), in.i64());
            case Kind.ANNOUNCE -> new Announce(in.i64(), bucket(in), RequestFormat.readClients(in));
            case Kind.ABSENT -> new Absent(in.i64(), in.i64(), new ClientId(in.text()), in.i64());
            case Kind.AGAIN -> new Again(in.i64());
            default -> throw in.malformed("its kind is " + kind);
        };
        in.finish();
        return frame;
    }

    private static int bucket(FrameReader in) {
        long bucket = in.u32();
        if (bucket > Integer.MAX_VALUE) {
            throw in.malformed("there is no bucket " + bucket);
        }
        return (int) bucket;
    }

    /** The kinds on the wire. */
    final class Kind {
        static final int OPEN = 1;
        static final int LEAVE = 2;
        static final int CHANGE = 3;
        static final int OPENED = 4;
        static final int LEFT = 5;
        static final int CHANGED = 6;
        static final int CLOSE = 7;
        static final int ANNOUNCE = 8;
        static final int ABSENT = 9;
        static final int AGAIN = 10;

        private Kind() {}
    }
}

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
 * A request to the registrar on another node, or its answer. An answer has the number of its request.
 *
 * <pre>
 * u8   version, 1
 * u8   kind
 * i64  number; absent in a close and an announcement
 *      the request or answer: {@link RequestFormat}, {@link AnswerFormat}
 * </pre>
 */
sealed interface RegistrarFrame {
    /** The version that all nodes read and write. */
    int VERSION = 1;

    /** A client asks for its session. */
    record Open(long number, OpenRequest request) implements RegistrarFrame {}

    /** A connection is lost. */
    record Leave(long number, Departure departure) implements RegistrarFrame {}

    /** A client changes its subscriptions. */
    record Change(long number, SubscriptionChange change) implements RegistrarFrame {}

    /** The answer to {@link Open}. */
    record Opened(long number, OpenOutcome outcome) implements RegistrarFrame {}

    /**
     * The answer to {@link Leave}.
     *
     * @param isDurable whether the departure is durable; else its commit has failed and is repeated
     */
    record Left(long number, boolean isDurable) implements RegistrarFrame {}

    /** The answer to {@link Change}. */
    record Changed(long number, ChangeOutcome outcome) implements RegistrarFrame {}

    /** The client has connected again: its connection with this epoch ends. Answered by {@link Leave}. */
    record Close(ClientId clientId, long epoch) implements RegistrarFrame {}

    /**
     * The node has these clients without persistent sessions.
     *
     * @param node the incarnation of the node
     */
    record Announce(String node, List<TransientClient> clients) implements RegistrarFrame {
        public Announce {
            clients = List.copyOf(clients);
        }
    }

    /** Returns the bytes of the frame. */
    default byte[] encode() {
        BinaryWriter out = new BinaryWriter().u8(VERSION);
        switch (this) {
            case Open(long number, OpenRequest request) ->
                RequestFormat.write(request, out.u8(Kind.OPEN).i64(number));
            case Leave(long number, Departure departure) ->
                RequestFormat.write(departure, out.u8(Kind.LEAVE).i64(number));
            case Change(long number, SubscriptionChange change) ->
                RequestFormat.write(change, out.u8(Kind.CHANGE).i64(number));
            case Opened(long number, OpenOutcome outcome) ->
                AnswerFormat.write(outcome, out.u8(Kind.OPENED).i64(number));
            case Left(long number, boolean isDurable) ->
                out.u8(Kind.LEFT).i64(number).u8(isDurable ? 1 : 0);
            case Changed(long number, ChangeOutcome outcome) ->
                AnswerFormat.write(outcome, out.u8(Kind.CHANGED).i64(number));
            case Close(ClientId clientId, long epoch) ->
                out.u8(Kind.CLOSE).text(clientId.value()).i64(epoch);
            case Announce(String node, List<TransientClient> clients) ->
                RequestFormat.write(clients, out.u8(Kind.ANNOUNCE).text(node));
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
            case Kind.OPEN -> new Open(in.i64(), RequestFormat.readOpenRequest(in));
            case Kind.LEAVE -> new Leave(in.i64(), RequestFormat.readDeparture(in));
            case Kind.CHANGE -> new Change(in.i64(), RequestFormat.readChange(in));
            case Kind.OPENED -> new Opened(in.i64(), AnswerFormat.readOpenOutcome(in));
            case Kind.LEFT -> new Left(in.i64(), in.u8() != 0);
            case Kind.CHANGED -> new Changed(in.i64(), AnswerFormat.readChangeOutcome(in));
            case Kind.CLOSE -> new Close(new ClientId(in.text()), in.i64());
            case Kind.ANNOUNCE -> new Announce(in.text(), RequestFormat.readClients(in));
            default -> throw in.malformed("its kind is " + kind);
        };
        in.finish();
        return frame;
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

        private Kind() {}
    }
}

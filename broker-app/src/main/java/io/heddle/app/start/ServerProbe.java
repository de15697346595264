package io.heddle.app.start;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Finds out whether what listens at an address speaks a protocol. The stores' own clients wait for their whole time-out when an HTTP
 * server, say, is asked in words that it does not take for a request. Blocks for at most six times the patience.
 */
final class ServerProbe {
    private static final int CORRELATION_ID = 0x6865_6464;
    private static final int LARGEST_ANSWER = 1 << 20;
    private static final byte TLS_ALERT = 0x15;

    private final Duration patience;

    /** @param patience for a connection, and for each answer */
    ServerProbe(Duration patience) {
        this.patience = patience;
    }

    /** What was found. */
    enum Finding {
        EXPECTED,
        /** Something else listens there. */
        ANOTHER,
        /** Nobody, or somebody who says nothing or is busy. */
        UNKNOWN
    }

    /** A protocol that can be told by the first answer to a harmless question. */
    enum Protocol {
        KAFKA("Kafka", 8) {
            // ApiVersions, version 0, without a client id, which is answered before anybody signs in.
            @Override
            byte[] question() {
                return ByteBuffer.allocate(14)
                        .putInt(10)
                        .putShort((short) 18)
                        .putShort((short) 0)
                        .putInt(CORRELATION_ID)
                        .putShort((short) -1)
                        .array();
            }

            @Override
            Finding judge(ByteBuffer answer) {
                if (answer.get(0) == TLS_ALERT) {
                    return Finding.UNKNOWN;
                }
                int length = answer.getInt();
                return length > 0 && length < LARGEST_ANSWER && answer.getInt() == CORRELATION_ID
                        ? Finding.EXPECTED
                        : Finding.ANOTHER;
            }
        },

        POSTGRESQL("PostgreSQL", 1) {
            // SSLRequest, which is answered with a letter.
            @Override
            byte[] question() {
                return ByteBuffer.allocate(8).putInt(8).putInt(80_877_103).array();
            }

            @Override
            Finding judge(ByteBuffer answer) {
                return switch (answer.get()) {
                    case 'S', 'N' -> Finding.EXPECTED;
                    // An error in its words; or it wants TLS from the first byte on.
                    case 'E', TLS_ALERT -> Finding.UNKNOWN;
                    default -> Finding.ANOTHER;
                };
            }
        },

        REDIS("Redis", 1) {
            // PING, answered with the word, or with an error where a password is wanted.
            @Override
            byte[] question() {
                return "*2\r\n$4\r\nPING\r\n$6\r\nheddle\r\n".getBytes(US_ASCII);
            }

            @Override
            Finding judge(ByteBuffer answer) {
                return switch (answer.get()) {
                    case '$', '-', '+' -> Finding.EXPECTED;
                    case TLS_ALERT -> Finding.UNKNOWN;
                    default -> Finding.ANOTHER;
                };
            }
        },

        LINES("a server that is asked in lines", 1) {
            // A command to Redis, and a bad request to a web server, which both answer.
            @Override
            byte[] question() {
                return "PING heddle\r\n\r\n".getBytes(US_ASCII);
            }

            @Override
            Finding judge(ByteBuffer answer) {
                return answer.get() >= ' ' ? Finding.EXPECTED : Finding.UNKNOWN;
            }
        };

        private final String whom;
        private final int answerBytes;

        Protocol(String whom, int answerBytes) {
            this.whom = whom;
            this.answerBytes = answerBytes;
        }

        /** Who speaks it. */
        String whom() {
            return whom;
        }

        /** Whether one that answers this question does not speak the other protocol. */
        boolean excludes(Protocol other) {
            return switch (this) {
                case KAFKA, POSTGRESQL -> this != other;
                // Those who are asked in lines answer this one as well.
                case REDIS -> false;
                case LINES -> other != REDIS;
            };
        }

        abstract byte[] question();

        /** @param answer its first bytes, as many as it takes */
        abstract Finding judge(ByteBuffer answer);
    }

    /** Whether the protocol is spoken there. Where the question is not answered, the others are tried. */
    Finding find(Protocol protocol, InetSocketAddress address) {
        Finding found = ask(protocol, address);
        if (found != Finding.UNKNOWN) {
            return found;
        }
        for (Protocol other : Protocol.values()) {
            if (other.excludes(protocol) && ask(other, address) == Finding.EXPECTED) {
                return Finding.ANOTHER;
            }
        }
        return Finding.UNKNOWN;
    }

    private Finding ask(Protocol protocol, InetSocketAddress address) {
        int patienceMillis = Math.toIntExact(patience.toMillis());
        try (Socket socket = new Socket()) {
            socket.connect(address, patienceMillis);
            socket.setSoTimeout(patienceMillis);
            socket.getOutputStream().write(protocol.question());
            byte[] answer = socket.getInputStream().readNBytes(protocol.answerBytes);
            return answer.length < protocol.answerBytes ? Finding.UNKNOWN : protocol.judge(ByteBuffer.wrap(answer));
        } catch (IOException e) {
            // Whoever needs the server will say what is wrong with it.
            return Finding.UNKNOWN;
        }
    }
}

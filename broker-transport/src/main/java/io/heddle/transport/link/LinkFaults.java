package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.netty.channel.Channel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;

/** Reports exceptions of link connections, which are closed afterwards. */
final class LinkFaults {
    private LinkFaults() {}

    /** A connection that breaks is a part of normal operation; messages that no node sends are not. */
    static void report(Logger log, LinkMetrics metrics, Channel channel, Throwable cause) {
        if (cause instanceof DecoderException
                && cause.getCause() instanceof IOException broken
                && !(broken instanceof NotSslRecordException)) {
            log.debug("The handshake of a link has failed: channel={}", channel, cause);
        } else if (cause instanceof DecoderException && cause.getCause() instanceof RejectedExecutionException) {
            // The peer sends again what it does not find acknowledged.
            log.debug("This node stops and handles no more frames: channel={}", channel, cause);
        } else if (cause instanceof MalformedLinkException
                || cause instanceof DecoderException
                || cause instanceof IndexOutOfBoundsException) {
            metrics.malformed();
            FailureLog.warn(
                    log,
                    "Closed a connection to the port for links between nodes; its bytes are malformed: address="
                            + channel.remoteAddress() + ", reason=" + reason(cause),
                    null);
        } else if (cause instanceof IOException || cause instanceof ReadTimeoutException) {
            log.debug("A link has broken: channel={}", channel, cause);
        } else {
            metrics.handlerFailed();
            log.error("Unexpected exception; link closed. Please report this with its stack trace: {}", channel, cause);
        }
    }

    /** Netty repeats the bytes of the peer in the message of an exception about a record that is not of TLS. */
    private static String reason(Throwable cause) {
        return cause instanceof NotSslRecordException || cause.getCause() instanceof NotSslRecordException
                ? "they are not TLS"
                : String.valueOf(cause.getMessage());
    }
}

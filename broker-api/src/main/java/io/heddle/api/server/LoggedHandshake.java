package io.heddle.api.server;

import io.heddle.core.LogRateLimit;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.apache.tomcat.util.net.NioEndpoint;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketBufferHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with TLS whose failed handshake is one line of the log, with the address. Tomcat has no line for most failures, and an error with
 * a stack trace for bytes that it cannot parse. On the worker that has the lock of the connection.
 */
final class LoggedHandshake extends SecureNioChannel {
    private static final Logger log = LoggerFactory.getLogger(LoggedHandshake.class);

    private final LogRateLimit lines;
    private final int port;

    /** @param lines limits the lines of all connections to the port */
    LoggedHandshake(SocketBufferHandler buffers, NioEndpoint endpoint, LogRateLimit lines) {
        super(buffers, endpoint);
        this.lines = lines;
        this.port = endpoint.getLocalPort();
    }

    @Override
    public int handshake(boolean read, boolean write) throws IOException {
        try {
            return super.handshake(read, write);
        } catch (IllegalStateException notTls) {
            // Tomcat asks its parser for a ClientHello that the parser has not found.
            throw logged(new IOException("the ClientHello is too long, or none", notTls));
        } catch (IOException failure) {
            throw logged(failure);
        }
    }

    private IOException logged(IOException failure) {
        boolean isOrdinary = failure instanceof ClosedChannelException
                || String.valueOf(failure.getMessage()).contains("Connection reset");
        long suppressed = isOrdinary ? LogRateLimit.SUPPRESSED : lines.acquire();
        if (suppressed != LogRateLimit.SUPPRESSED) {
            log.info(
                    "TLS handshake failed: let the client use https, TLS 1.2 or 1.3, and the authority of the certificate;"
                            + " port={}, suppressed={}, address={}, detail={}",
                    port,
                    suppressed,
                    socketWrapper.getRemoteAddr(),
                    failure.getMessage());
        }
        return failure;
    }
}

package io.heddle.app.start;

import io.heddle.app.console.Announced;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.core.lifecycle.StartupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.tomcat.ConnectorStartFailedException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.core.convert.ConversionFailedException;

/** Error message of a failed start: one sentence for the operator. The stack trace goes to the log. */
public final class StartupFailure {
    private static final Logger log = LoggerFactory.getLogger(StartupFailure.class);

    private StartupFailure() {}

    /** Returns what is wrong, where, and what to do. */
    public static String sentence(Throwable failure) {
        return Announced.CANNOT_START + reason(failure);
    }

    /** Returns the part of the sentence that does not say what has failed, and writes the stack trace to the log. */
    public static String reason(Throwable failure) {
        String reason = known(failure);
        if (reason != null) {
            log.debug("Cannot start", failure);
            return reason;
        }
        log.error("Cannot start", failure);
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "unexpected error (the log has the stack trace): " + root;
    }

    private static @Nullable String known(Throwable failure) {
        StartupException startup = find(failure, StartupException.class);
        if (startup != null) {
            return startup.getMessage();
        }
        UnwritableOutputException unseen = find(failure, UnwritableOutputException.class);
        if (unseen != null) {
            return unseen.getMessage();
        }
        PortInUseException portInUse = find(failure, PortInUseException.class);
        if (portInUse != null) {
            // Spring names the HTTP port even if the port for probes is taken.
            return "the HTTP port " + portInUse.getPort() + " or the port for probes is in use: choose another with"
                    + " --http-port (heddle.http.port) or heddle.http.probe-port, 0 picks a free one";
        }
        ConnectorStartFailedException notStarted = find(failure, ConnectorStartFailedException.class);
        if (notStarted != null) {
            return "the HTTP port " + notStarted.getPort() + " is in use: choose another with --http-port"
                    + " (heddle.http.port) or heddle.http.probe-port, 0 picks a free one";
        }
        java.net.BindException noSuchAddress = find(failure, java.net.BindException.class);
        if (noSuchAddress != null) {
            return "the HTTP listener cannot use its address (" + noSuchAddress.getMessage()
                    + "): set heddle.http.bind (--bind) to an address of this machine, such as 127.0.0.1 or 0.0.0.0";
        }
        BindException notBound = find(failure, BindException.class);
        if (notBound != null) {
            return InvalidSettingMessage.sentence(notBound);
        }
        ConversionFailedException notConverted = find(failure, ConversionFailedException.class);
        return notConverted == null ? null : InvalidSettingMessage.sentence(notConverted);
    }

    /** Returns the first exception of the type among the failure and its causes. */
    static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        for (Throwable each = failure; each != null; each = each.getCause()) {
            if (type.isInstance(each)) {
                return type.cast(each);
            }
        }
        return null;
    }
}

package io.heddle.standalone.directory;

import org.jspecify.annotations.Nullable;

/** The servers cannot be started or stopped. The message is one sentence for the operator: what, where, what to do. */
public final class StandaloneException extends RuntimeException {
    /** The remedy when this machine cannot run the servers. */
    public static final String EXTERNAL_SERVERS =
            "start without the profile standalone and name servers of your own with"
                    + " --heddle.kafka.bootstrap-servers, --heddle.redis.url and --heddle.postgres.url";

    public StandaloneException(String message) {
        super(message);
    }

    public StandaloneException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

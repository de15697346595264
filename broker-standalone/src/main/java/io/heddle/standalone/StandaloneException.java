package io.heddle.standalone;

import org.jspecify.annotations.Nullable;

/** The servers cannot be started or stopped. The message is one sentence for a person: what, where, what to do. */
public final class StandaloneException extends RuntimeException {
    /** What a person can always do when this machine cannot run the servers. */
    static final String EXTERNAL_SERVERS = "start without the profile standalone and name servers of your own with"
            + " --heddle.kafka.bootstrap-servers, --heddle.redis.url and --heddle.postgres.url";

    StandaloneException(String message) {
        super(message);
    }

    StandaloneException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}

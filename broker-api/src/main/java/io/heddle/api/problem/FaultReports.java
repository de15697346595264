package io.heddle.api.problem;

import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where bugs go: each is logged once, with an id by which the answer's reader and the log's reader find each other. */
public final class FaultReports {
    private static final Logger log = LoggerFactory.getLogger(FaultReports.class);

    /** Logs what nobody expected and returns what may be said about it. */
    Problem report(Throwable fault) {
        String errorId = UUID.randomUUID().toString();
        log.error("A request failed unexpectedly; errorId={}", errorId, fault);
        return Problem.unexpected(errorId);
    }
}

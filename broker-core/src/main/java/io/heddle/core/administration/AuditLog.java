package io.heddle.core.administration;

import io.heddle.core.Port;
import java.util.List;

/**
 * The changes that administrators make on all nodes. Keeps the latest {@link #CAPACITY} entries, and at most a thousand older ones. May block:
 * called on virtual threads only. Every method throws {@link io.heddle.core.StoreUnavailableException} if the store does not answer.
 */
@Port
public interface AuditLog {
    /** The number of entries that are kept. */
    int CAPACITY = 1_000_000;

    /**
     * Adds an entry with the outcome {@link AuditOutcome#ATTEMPTED}.
     *
     * @return the id of the entry
     */
    long begin(AuditAttempt attempt);

    /** Completes an entry; does nothing if it is no longer kept. */
    void complete(long id, AuditResult result);

    /** Returns the entries that match, in order of time and id. */
    List<AuditEntry> list(AuditQuery query);
}

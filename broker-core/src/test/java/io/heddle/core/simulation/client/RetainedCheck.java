package io.heddle.core.simulation.client;

import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.client.Ledger.Sent;
import java.util.List;
import java.util.Map;

/** The retained messages that a new subscriber has received. */
public final class RetainedCheck {
    private final Map<String, Sent> found;

    /** Fails if a message is not the last acknowledged one of its topic, nor a later one. */
    public RetainedCheck(Ledger ledger, SimClient reader) {
        SessionLog session = reader.session();
        if (session == null) {
            throw new SimulationFailure(reader + " has no session");
        }
        this.found = session.retainedMessages();
        List<String> wrong = ledger.wrongRetained(found);
        if (!wrong.isEmpty()) {
            throw new SimulationFailure(wrong.toString());
        }
    }

    /** Checks that a restart between two readers has changed no retained message. */
    public void requireSameAs(RetainedCheck earlier) {
        earlier.found.forEach((topic, before) -> {
            Sent after = found.get(topic);
            if (!before.equals(after)) {
                throw new SimulationFailure(
                        "the retained message " + before + " has become " + after + " after a restart");
            }
        });
    }
}

package io.heddle.core.authentication;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The decision about a connecting client. */
public sealed interface AuthenticationOutcome extends EnhancedMethod.Step {
    /**
     * The client is authenticated.
     *
     * @param groups the names of its groups, for rules
     * @param attributes by name, for rules
     * @param validUntil the time at which the client is disconnected, because its proof expires; null for none
     * @param data of an enhanced method for the client, or null
     */
    record Accepted(
            ClientIdentity identity,
            Set<String> groups,
            Map<String, String> attributes,
            @Nullable Instant validUntil,
            @Nullable BinaryData data)
            implements AuthenticationOutcome {
        public Accepted {
            groups = Set.copyOf(groups);
            attributes = Map.copyOf(attributes);
        }

        /** Accepts a client to which its method sends no data. */
        public Accepted(
                ClientIdentity identity,
                Set<String> groups,
                Map<String, String> attributes,
                @Nullable Instant validUntil) {
            this(identity, groups, attributes, validUntil, null);
        }

        /** Accepts a client without groups and attributes, for as long as it stays connected. */
        public Accepted(ClientIdentity identity) {
            this(identity, Set.of(), Map.of(), null);
        }
    }

    /**
     * The client is refused.
     *
     * @param reason an error, for CONNACK
     * @param detail one phrase for the log; not sent to the client, which could learn from it which names exist
     * @param limit of this node that is exceeded, or null
     */
    record Refused(
            ReasonCode reason, String detail, @Nullable Limit limit) implements AuthenticationOutcome {
        /** Refuses a client that exceeds no limit. */
        public Refused(ReasonCode reason, String detail) {
            this(reason, detail, null);
        }
    }
}

package io.heddle.core.operator.client;

import java.util.List;

/**
 * The result of the end of many sessions.
 *
 * @param sessions the number of those that have ended, or that would end
 * @param isComplete whether these are all that match; otherwise a repetition ends more
 * @param unknown the ids of clients whose sessions may or may not have ended
 * @param connected the ids of clients that have connected meanwhile, and keep their sessions; the first {@value #MAXIMUM_CONNECTED}
 */
public record EndedSessions(int sessions, boolean isComplete, List<String> unknown, List<String> connected) {
    static final int MAXIMUM_CONNECTED = 1_000;

    public EndedSessions {
        connected = List.copyOf(connected);
        unknown = List.copyOf(unknown);
    }
}

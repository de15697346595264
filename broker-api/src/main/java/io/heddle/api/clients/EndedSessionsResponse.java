package io.heddle.api.clients;

import io.heddle.core.operator.client.EndedSessions;
import java.util.List;

/**
 * The result of the end of many sessions.
 *
 * @param sessions the number of those that have ended, or that would end
 * @param complete whether these are all that match; otherwise repeat the request
 * @param unknown the ids of clients whose sessions may or may not have ended
 * @param connected the ids of clients that have connected meanwhile, and keep their sessions; at most 1,000
 */
record EndedSessionsResponse(int sessions, boolean complete, List<String> unknown, List<String> connected) {
    static EndedSessionsResponse of(EndedSessions ended) {
        return new EndedSessionsResponse(ended.sessions(), ended.isComplete(), ended.unknown(), ended.connected());
    }
}

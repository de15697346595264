package io.heddle.api.subscriptions;

import io.heddle.core.operator.client.FilterPage;

/**
 * JSON representation of a topic filter in use.
 *
 * @param topicFilter begins with $share/ if it is that of a group
 * @param subscribers the number of sessions with this subscription, the members of a group
 */
record FilterResponse(String topicFilter, long subscribers) {
    static FilterResponse of(FilterPage.Entry filter) {
        return new FilterResponse(filter.topicFilter(), filter.subscribers());
    }
}

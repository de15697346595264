package io.heddle.core.session;

import java.util.concurrent.CompletionStage;

/**
 * A change of a session's record.
 *
 * @param before the record until then
 * @param written completes when the new record, or a later one, is durable
 */
record RecordChange(SessionRecord before, CompletionStage<Void> written) {}

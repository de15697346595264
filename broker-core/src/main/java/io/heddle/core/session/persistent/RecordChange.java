package io.heddle.core.session.persistent;

import java.util.concurrent.CompletionStage;

/**
 * A change of a session's record.
 *
 * @param before the previous record
 * @param written completes when the new record, or a later one, is durable
 */
public record RecordChange(SessionRecord before, CompletionStage<Void> written) {}

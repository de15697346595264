package io.heddle.core.publish;

import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.retained.RetainedChange;
import java.util.List;

/** Appends the changes of retained messages, so that a change whose append fails is undone. Stateless. */
final class RetainedAppend {
    private RetainedAppend() {}

    /** The record of a change. */
    static LogAppend record(PublishMessage message, RetainedChange change) {
        return new LogAppend.ToRetained(message.topic(), change.removes() ? null : message);
    }

    /** Appends a change besides others, each of which may fail for itself. */
    static void append(
            MessageLog log,
            List<LogAppend> others,
            PublishMessage message,
            RetainedChange change,
            MessageLog.Outcome outcome) {
        if (others.isEmpty()) {
            log.append(List.of(record(message, change)), settling(change, outcome));
            return;
        }
        MessageLog.Outcome joined = new JoinedOutcome(2, outcome);
        log.append(others, joined);
        log.append(List.of(record(message, change)), settling(change, joined));
    }

    /** The outcome that settles a change and then goes on to another. */
    static MessageLog.Outcome settling(RetainedChange change, MessageLog.Outcome next) {
        return new MessageLog.Outcome() {
            @Override
            public void appended() {
                change.appended();
                next.appended();
            }

            @Override
            public void failed(Throwable reason) {
                change.failed();
                next.failed(reason);
            }
        };
    }
}

package io.heddle.core.publish;

import io.heddle.core.delivery.log.JoinedAppends;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.retained.RetainedChange;
import java.util.List;

/** Commits changes of retained messages and undoes a change whose commit fails. Stateless. */
final class RetainedAppend {
    private RetainedAppend() {}

    static LogAppend record(PublishMessage message, RetainedChange change) {
        return new LogAppend.ToRetained(message.topic(), change.removes() ? null : message);
    }

    /**
     * Commits a change and appends other records, each of which may fail on its own. The change is committed, because a late copy of an
     * appended record could replace a newer retained message for ever.
     */
    static void append(
            MessageLog log,
            List<LogAppend> others,
            PublishMessage message,
            RetainedChange change,
            MessageLog.AppendCallback callback) {
        List<LogAppend> retained = List.of(record(message, change));
        if (others.isEmpty()) {
            log.commit(retained, new OrderFence(), settling(change, callback));
            return;
        }
        MessageLog.AppendCallback joined = new JoinedAppends(2, callback);
        log.append(others, joined);
        log.commit(retained, new OrderFence(), settling(change, joined));
    }

    /** Returns a callback that confirms or undoes a change and then calls the next callback. */
    static MessageLog.AppendCallback settling(RetainedChange change, MessageLog.AppendCallback next) {
        return new MessageLog.AppendCallback() {
            @Override
            public void onRetained(long offset) {
                change.storedAt(offset);
            }

            @Override
            public void onAppended() {
                change.appended();
                next.onAppended();
            }

            @Override
            public void onFailed(Throwable reason) {
                change.failed();
                next.onFailed(reason);
            }
        };
    }
}

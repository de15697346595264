package io.heddle.core.delivery.log;

import java.util.concurrent.atomic.AtomicInteger;

/** Joins several appends into one callback, called when the last append is durable or the first one fails. Thread-safe. */
public final class JoinedAppends implements MessageLog.AppendCallback {
    private static final int FAILED = -1;

    private final AtomicInteger pending;
    private final MessageLog.AppendCallback callback;

    /** @param appends at least 1 */
    public JoinedAppends(int appends, MessageLog.AppendCallback callback) {
        this.pending = new AtomicInteger(appends);
        this.callback = callback;
    }

    @Override
    public void onAppended() {
        if (pending.getAndUpdate(left -> left == FAILED ? FAILED : left - 1) == 1) {
            callback.onAppended();
        }
    }

    @Override
    public void onFailed(Throwable reason) {
        if (pending.getAndSet(FAILED) != FAILED) {
            callback.onFailed(reason);
        }
    }
}

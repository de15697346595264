package io.heddle.core.delivery.log;

import io.heddle.core.Limit;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import java.util.List;
import java.util.function.Consumer;

/** Counts the copies of messages that are given to a log, and what becomes of them. Thread-safe. */
public record CountedLog(MessageLog log, Ledger ledger) implements MessageLog {
    @Override
    public boolean accepts(long bytes) {
        return log.accepts(bytes);
    }

    @Override
    public long publisherShare() {
        return log.publisherShare();
    }

    @Override
    public Limit pendingLimit() {
        return log.pendingLimit();
    }

    @Override
    public void append(List<LogAppend> appends, AppendCallback callback) {
        give(appends, callback, counted -> log.append(appends, counted));
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        give(appends, callback, counted -> log.commit(appends, order, counted));
    }

    private void give(List<LogAppend> appends, AppendCallback callback, Consumer<AppendCallback> give) {
        int copies = 0;
        for (int i = 0; i < appends.size(); i++) {
            copies += appends.get(i).copies();
        }
        if (copies == 0) {
            give.accept(callback);
            return;
        }
        ledger.add(Flow.APPENDED, copies);
        try {
            give.accept(new Counted(copies, callback));
        } catch (RuntimeException unwritable) {
            // Without a call of the callback.
            ledger.add(Flow.APPEND_FAILED, copies);
            throw unwritable;
        }
    }

    private final class Counted implements AppendCallback {
        private final int copies;
        private final AppendCallback callback;

        Counted(int copies, AppendCallback callback) {
            this.copies = copies;
            this.callback = callback;
        }

        @Override
        public void onRetained(long offset) {
            callback.onRetained(offset);
        }

        @Override
        public void onAppended() {
            ledger.add(Flow.STORED, copies);
            callback.onAppended();
        }

        @Override
        public void onFailed(Throwable reason) {
            ledger.add(Flow.APPEND_FAILED, copies);
            callback.onFailed(reason);
        }
    }
}

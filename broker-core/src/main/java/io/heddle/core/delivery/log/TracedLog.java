package io.heddle.core.delivery.log;

import io.heddle.core.Limit;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.tracing.MessageSpan;
import io.heddle.core.message.tracing.Tracing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Traces the appends of messages. All records of one append are of the same message. Thread-safe. */
public record TracedLog(MessageLog log, Tracing tracing) implements MessageLog {
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
        MessageSpan span = begin(appends);
        if (span == null) {
            log.append(appends, callback);
            return;
        }
        Traced traced = new Traced(span, callback);
        try {
            log.append(appends, traced);
        } catch (RuntimeException unwritable) {
            span.fail(Traced.FAILED);
            throw unwritable;
        }
    }

    @Override
    public void commit(List<LogAppend> appends, OrderFence order, AppendCallback callback) {
        MessageSpan span = begin(appends);
        if (span == null) {
            log.commit(appends, order, callback);
            return;
        }
        Traced traced = new Traced(span, callback);
        try {
            log.commit(appends, order, traced);
        } catch (RuntimeException unwritable) {
            span.fail(Traced.FAILED);
            throw unwritable;
        }
    }

    private @Nullable MessageSpan begin(List<LogAppend> appends) {
        PublishMessage message = message(appends);
        return message == null
                ? null
                : tracing.append(
                        message.trace(tracing),
                        message.publisher(),
                        message.topic(),
                        message.qos(),
                        message.payload().length());
    }

    private static @Nullable PublishMessage message(List<LogAppend> appends) {
        for (int i = 0; i < appends.size(); i++) {
            PublishMessage message = message(appends.get(i));
            if (message != null) {
                return message;
            }
        }
        return null;
    }

    private static @Nullable PublishMessage message(LogAppend append) {
        return switch (append) {
            case LogAppend.ToBucket bucket ->
                bucket.command() instanceof BucketCommand.Enqueue enqueue ? enqueue.message() : null;
            case LogAppend.ToApplication application -> application.message();
            case LogAppend.ToRetained retained -> retained.message();
            case LogAppend.ToDeadLetters _, LogAppend.ToClients _ -> null;
        };
    }

    private record Traced(MessageSpan span, AppendCallback callback) implements AppendCallback {
        static final String FAILED = "append_failed";

        @Override
        public void onRetained(long offset) {
            callback.onRetained(offset);
        }

        @Override
        public void onAppended() {
            span.end();
            callback.onAppended();
        }

        @Override
        public void onFailed(Throwable reason) {
            span.fail(FAILED);
            callback.onFailed(reason);
        }
    }
}

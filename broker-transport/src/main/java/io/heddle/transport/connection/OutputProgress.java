package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/** Notices whether the operating system accepts the output of a connection. Owned by the connection's event loop. */
@HotPath
final class OutputProgress {
    private final Channel channel;
    private final boolean encrypted;
    private long writes;
    // At the last call of hasAdvanced: complete buffers, the next one, and bytes of it.
    private long lastTakenBuffers;
    private @Nullable Object lastNext;
    private long lastTakenBytes;

    /** @param encrypted whether the buffers in the channel are TLS records, and thus not those that were written */
    OutputProgress(Channel channel, boolean encrypted) {
        this.channel = channel;
        this.encrypted = encrypted;
    }

    /** Counts a buffer that was written to the channel. */
    void written() {
        writes++;
    }

    @SuppressWarnings("ReferenceEquality") // The same buffer, not an equal one.
    private boolean isOther(@Nullable Object next) {
        return next != lastNext;
    }

    /** Returns whether the operating system has accepted any output since the last call, or nothing is unsent. */
    boolean hasAdvanced() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        if (pending == null) {
            return true;
        }
        long takenBuffers = writes - pending.size();
        long takenBytes = pending.currentProgress();
        Object next = encrypted ? pending.current() : null;
        boolean isNextOther = encrypted ? isOther(next) : takenBuffers != lastTakenBuffers;
        boolean advanced = pending.isEmpty() || isNextOther || takenBytes != lastTakenBytes;
        lastTakenBuffers = takenBuffers;
        lastNext = next;
        lastTakenBytes = takenBytes;
        return advanced;
    }
}

package io.heddle.core.session;

import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.ReasonCode;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Expires when a client has sent no packet within one and a half times its Keep Alive [MQTT-3.1.2-22]. Owned by the session's event loop. A
 * packet only notes the time; one timer at a time checks it. An excused client is not expected to send. Neither is one whose packet makes
 * progress: on a slow network a large PUBLISH takes longer, and its client can send nothing else meanwhile. Bound: such a packet gets
 * {@link #LONGEST_PACKET}.
 */
final class KeepAlive {
    /** The least part of an unfinished packet that must arrive in one and a half times the Keep Alive. */
    static final int LEAST_PROGRESS_BYTES = 1_000;

    /** The longest time from the last complete packet to the next one. */
    static final Duration LONGEST_PACKET = Duration.ofMinutes(30);

    /** A client without a Keep Alive may leave its output unread for one and a half times this time. */
    static final int UNREAD_SECONDS = 600;

    private final EventLoop eventLoop;
    private final long limitNanos;
    private final BooleanSupplier excused;
    private final IntSupplier unfinishedBytes;
    private final Runnable expired;
    private long lastPacketNanos;
    // Of a packet, or of enough of one.
    private long lastReceivedNanos;
    private int bytesAtLastCheck;
    private EventLoop.@Nullable Timer timer;

    /**
     * A keep alive that is not running.
     *
     * @param seconds more than zero
     * @param excused whether the client's silence is acceptable at this moment
     * @param unfinishedBytes of the packet that is arriving, 0 if there is none
     */
    KeepAlive(
            EventLoop eventLoop, int seconds, BooleanSupplier excused, IntSupplier unfinishedBytes, Runnable expired) {
        this.eventLoop = eventLoop;
        this.limitNanos = Duration.ofMillis(seconds * 1_500L).toNanos();
        this.excused = excused;
        this.unfinishedBytes = unfinishedBytes;
        this.expired = expired;
    }

    /** Returns why it has expired, for a client with this Keep Alive and this much of an unfinished packet. */
    static DisconnectCause cause(int seconds, int unfinishedBytes) {
        if (unfinishedBytes == 0) {
            return DisconnectCause.silent(seconds);
        }
        return DisconnectCause.byServer(
                ReasonCode.KEEP_ALIVE_TIMEOUT,
                "a packet arrives too slowly: less than " + LEAST_PROGRESS_BYTES
                        + " bytes in one and a half times the Keep Alive of " + seconds + " s, or longer than "
                        + LONGEST_PACKET.toMinutes() + " minutes; " + unfinishedBytes + " bytes have arrived");
    }

    /** Starts the timer, unless it runs already. */
    void start() {
        if (timer != null) {
            return;
        }
        packetReceived();
        timer = eventLoop.schedule(Duration.ofNanos(limitNanos), this::check);
    }

    void packetReceived() {
        lastPacketNanos = eventLoop.nanoTime();
        lastReceivedNanos = lastPacketNanos;
        bytesAtLastCheck = 0;
    }

    void stop() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void check() {
        if (timer == null) {
            return;
        }
        if (excused.getAsBoolean()) {
            packetReceived();
        }
        long now = eventLoop.nanoTime();
        if (now - lastReceivedNanos >= limitNanos && makesProgress(now)) {
            lastReceivedNanos = now;
        }
        long silentNanos = now - lastReceivedNanos;
        if (silentNanos >= limitNanos) {
            timer = null;
            expired.run();
        } else {
            timer = eventLoop.schedule(Duration.ofNanos(limitNanos - silentNanos), this::check);
        }
    }

    private boolean makesProgress(long now) {
        int before = bytesAtLastCheck;
        bytesAtLastCheck = unfinishedBytes.getAsInt();
        return bytesAtLastCheck - before >= LEAST_PROGRESS_BYTES && now - lastPacketNanos < LONGEST_PACKET.toNanos();
    }
}

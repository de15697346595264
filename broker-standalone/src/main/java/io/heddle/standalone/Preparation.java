package io.heddle.standalone;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What a server does before its process is started, a whole database to be made for instance; a stop cuts it short. Thread-safe. */
final class Preparation {
    private final ServerProcess server;
    // Guarded by this.
    private @Nullable Thread thread;

    Preparation(ServerProcess server) {
        this.server = server;
    }

    /**
     * Prepares the server on this thread.
     *
     * @param wanted asked once, after which {@link #cutShort} has its effect
     * @return null when it is not wanted
     * @throws InterruptedException or IOException when it was cut short
     */
    GuardedProcess.@Nullable Launch run(BooleanSupplier wanted) throws IOException, InterruptedException {
        occupy(Thread.currentThread());
        try {
            return wanted.getAsBoolean() ? server.prepare() : null;
        } finally {
            occupy(null);
            // Meant for the preparation, and for nothing that comes after it.
            Thread.interrupted();
        }
    }

    private synchronized void occupy(@Nullable Thread by) {
        thread = by;
    }

    /** Interrupts it if it is under way. */
    synchronized void cutShort() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}

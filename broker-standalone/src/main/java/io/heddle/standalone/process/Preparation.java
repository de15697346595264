package io.heddle.standalone.process;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The work of a server before its process is started, which a stop cancels: initializing a database, for instance. Thread-safe. */
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
     * @param wanted called once; from then on {@link #cancel} has an effect
     * @return null if the server is not wanted
     * @throws InterruptedException or IOException if the preparation was cancelled
     */
    GuardedProcess.@Nullable Launch run(BooleanSupplier wanted) throws IOException, InterruptedException {
        setThread(Thread.currentThread());
        try {
            return wanted.getAsBoolean() ? server.prepare() : null;
        } finally {
            setThread(null);
            // A late cancel must not interrupt the work that follows.
            Thread.interrupted();
        }
    }

    private synchronized void setThread(@Nullable Thread running) {
        thread = running;
    }

    /** Interrupts the preparation if it is running. */
    synchronized void cancel() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}

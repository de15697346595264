package io.heddle.standalone.process;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.DiskSpace;
import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervises the process of one server and restarts it on the same port and data when it exits, until it is stopped.
 *
 * <p>States: stopped → starting → ready → (exited → starting …) → stopped; or given up after too many exits ({@link RestartPolicy}). A
 * server that exited because of a full disk stays in "starting" until there is free space. While the server is not stopped, one daemon
 * thread owns the running process and the restarts. All methods may be called from any thread.
 */
public final class SupervisedProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedProcess.class);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(50);
    /** Longer than the guard's own limit, so that it is exceeded only if the guard hangs. */
    private static final Duration STOP_TIMEOUT = GuardedProcess.STOP_TIMEOUT.plusSeconds(1);

    private enum State {
        STOPPED,
        STARTING,
        READY,
        GIVEN_UP
    }

    private final ServerProcess server;
    private final Preparation preparation;
    private final DataDirectory data;
    private final DiskSpace disk;
    private final Consumer<String> giveUpListener;
    private final LongSupplier nanoTime;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private State state = State.STOPPED;
    private boolean wanted;
    private boolean supervised;
    private @Nullable GuardedProcess current;
    private String giveUpReason = "";

    private final AtomicLong restarts = new AtomicLong();
    private volatile Duration startDuration = Duration.ZERO;

    /**
     * A stopped server.
     *
     * @param giveUpListener called on the supervising thread with one sentence
     */
    public SupervisedProcess(
            ServerProcess server,
            DataDirectory data,
            DiskSpace disk,
            Consumer<String> giveUpListener,
            LongSupplier nanoTime) {
        this.server = server;
        this.preparation = new Preparation(server);
        this.data = data;
        this.disk = disk;
        this.giveUpListener = giveUpListener;
        this.nanoTime = nanoTime;
    }

    /** The name of the server's process, such as {@code kafka-0}. */
    public String name() {
        return server.name();
    }

    public String displayName() {
        return server.displayName();
    }

    /** The number of restarts after unexpected exits. */
    public long restarts() {
        return restarts.get();
    }

    /** The time from the last process start to readiness; zero before the server is ready for the first time. */
    public Duration startDuration() {
        return startDuration;
    }

    /** Returns whether the server has answered since its last start. */
    public boolean isReady() {
        lock.lock();
        try {
            return state == State.READY;
        } finally {
            lock.unlock();
        }
    }

    /** The process id of the server, not of its guard. Throws IllegalStateException if the server is not running. */
    public long pid() {
        return running().pid();
    }

    /** Starts the server if it is stopped or given up, and forgets earlier exits. Returns immediately. */
    public void start() {
        lock.lock();
        try {
            if (wanted) {
                return;
            }
            while (supervised) {
                changed.awaitUninterruptibly();
            }
            wanted = true;
            supervised = true;
            state = State.STARTING;
            Thread.ofPlatform()
                    .daemon()
                    .name("heddle-standalone-" + server.name())
                    .start(this::supervise);
        } finally {
            lock.unlock();
        }
    }

    /** Stops the server gracefully, with SIGKILL after six seconds, and waits until it has exited. */
    public void stop() {
        end(process -> {
            try {
                process.signalTree("CONT");
                process.requestStop();
            } catch (IOException e) {
                LOG.warn("Cannot ask {} to stop; killing it: {}", server.displayName(), e.toString());
                process.kill();
            }
        });
    }

    /** Sends SIGKILL; the supervision restarts the server. Throws IllegalStateException if the server is not running. */
    public void kill() {
        running().kill();
    }

    /** Sends SIGKILL and waits until the server has exited. It is not restarted. */
    public void crash() {
        end(GuardedProcess::kill);
    }

    /** Sends SIGSTOP to the server and its children. It keeps its connections and answers nothing. */
    public void pause() {
        running().signal("STOP", server.displayName());
    }

    /** Ends {@link #pause}. */
    public void resume() {
        running().signal("CONT", server.displayName());
    }

    /** Waits until the server is ready. Returns false after the timeout. Throws StandaloneException if the server is given up. */
    public boolean awaitReady(Duration timeout) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = timeout.toNanos();
            while (state != State.READY) {
                if (state == State.GIVEN_UP) {
                    throw new StandaloneException(giveUpReason);
                }
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    private GuardedProcess running() {
        lock.lock();
        try {
            if (current == null) {
                throw new IllegalStateException(server.displayName() + " is not running");
            }
            return current;
        } finally {
            lock.unlock();
        }
    }

    private interface Ending {
        void begin(GuardedProcess process) throws InterruptedException;
    }

    private void end(Ending ending) {
        lock.lock();
        try {
            wanted = false;
            changed.signalAll();
            if (current != null) {
                ending.begin(current);
            }
            preparation.cancel();
            long left = STOP_TIMEOUT.toNanos();
            while (supervised) {
                if (left <= 0) {
                    if (current != null) {
                        current.kill();
                    }
                    left = STOP_TIMEOUT.toNanos();
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The guard continues the stop.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Runs on the supervising thread. */
    private void supervise() {
        RestartPolicy policy = new RestartPolicy(disk);
        String failure = null;
        try {
            while (failure == null && isWanted()) {
                failure = handleExit(runUntilExit(), policy);
            }
        } catch (StandaloneException e) {
            failure = isWanted() ? e.getMessage() : null;
        } catch (IOException | RuntimeException e) {
            LOG.debug("Cannot start {}", server.displayName(), e);
            failure = isWanted()
                    ? server.displayName() + " cannot be started (" + e + "): see its log " + log() + "."
                    : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure = isWanted()
                    ? server.displayName()
                            + " is no longer supervised, because its thread was interrupted: restart Heddle."
                    : null;
        } finally {
            finish(failure);
        }
    }

    /** Runs the process once and describes its exit. A failing restart counts as an exit, too. */
    private String runUntilExit() throws IOException, InterruptedException {
        try {
            return "exited unexpectedly with status " + runOnce();
        } catch (IOException | UncheckedIOException e) {
            if (!wasReady()) {
                throw e;
            }
            LOG.debug("Cannot restart {}", server.displayName(), e);
            return "could not be restarted (" + e + ")";
        }
    }

    private boolean wasReady() {
        return !startDuration.isZero();
    }

    private int runOnce() throws IOException, InterruptedException {
        GuardedProcess.Launch launch = preparation.run(this::isWanted);
        if (launch == null) {
            return 0;
        }
        long started = nanoTime.getAsLong();
        GuardedProcess process = GuardedProcess.start(launch, data);
        if (!adopt(process)) {
            process.requestStop();
        }
        try {
            Integer status = process.waitFor(Duration.ZERO);
            while (status == null) {
                if (server.isReady(PROBE_TIMEOUT)) {
                    startDuration = Duration.ofNanos(nanoTime.getAsLong() - started);
                    enter(State.READY);
                    LOG.info("{} is ready after {} ms", server.displayName(), startDuration.toMillis());
                    return new WriteRejectionDetector(
                                    server.displayName(), () -> server.rejectsWrites(PROBE_TIMEOUT), disk)
                            .watch(process, this::isWanted);
                }
                status = process.waitFor(PROBE_PAUSE);
            }
            return status;
        } finally {
            release();
        }
    }

    /** Waits as long as the policy requires. Returns the reason to give up, or null to continue. */
    private @Nullable String handleExit(String exit, RestartPolicy policy) throws IOException, InterruptedException {
        if (!isWanted()) {
            return null;
        }
        switch (policy.afterExit(nanoTime.getAsLong(), wasReady())) {
            case RestartPolicy.Decision.GiveUp() -> {
                return RestartPolicy.giveUpMessage(server.displayName(), exit, log());
            }
            case RestartPolicy.Decision.Restart(Duration pause) -> {
                LOG.warn("{} {}; restarting it in {} ms: log={}", server.displayName(), exit, pause.toMillis(), log());
                pause(pause);
            }
            case RestartPolicy.Decision.AwaitDiskSpace() ->
                disk.await(server.displayName() + " " + exit, this::isWanted, this::pause, nanoTime);
        }
        if (isWanted()) {
            restarts.incrementAndGet();
        }
        return null;
    }

    /** Waits until the pause is over or the server is stopped. */
    private void pause(Duration pause) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = pause.toNanos();
            while (wanted && left > 0) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private Path log() {
        return data.path().resolve(DataDirectory.LOG_FOLDER).resolve(server.name() + ".log");
    }

    private boolean isWanted() {
        lock.lock();
        try {
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private boolean adopt(GuardedProcess process) {
        lock.lock();
        try {
            current = process;
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    private void enter(State next) {
        lock.lock();
        try {
            state = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void release() {
        lock.lock();
        try {
            current = null;
            state = State.STARTING;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void finish(@Nullable String failure) {
        lock.lock();
        try {
            supervised = false;
            wanted = false;
            state = failure == null ? State.STOPPED : State.GIVEN_UP;
            giveUpReason = failure == null ? "" : failure;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (failure != null) {
            LOG.error("{}", failure);
            giveUpListener.accept(failure);
        }
    }
}

package io.heddle.standalone;

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
 * One server's process over all its lives: started again on the same port and data when it dies, until told to stop.
 *
 * <p>States: stopped → starting → ready → (died → starting …) → stopped; or given up, after too many deaths ({@link
 * RestartPolicy}). One that died of a full disk stays in "starting" until there is room. While it is not stopped, one daemon thread
 * owns the running process and the restarts; all methods may be called from any thread.
 */
public final class SupervisedProcess {
    private static final Logger LOG = LoggerFactory.getLogger(SupervisedProcess.class);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PROBE_PAUSE = Duration.ofMillis(50);
    /** After the guard's own bound; only a guard that hangs itself makes it pass. */
    private static final Duration STOP_BOUND = GuardedProcess.STOP_BOUND.plusSeconds(1);

    private enum State {
        STOPPED,
        STARTING,
        READY,
        GIVEN_UP
    }

    private final ServerProcess server;
    private final Preparation preparation;
    private final DataDirectory data;
    private final DiskRoom room;
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

    SupervisedProcess(
            ServerProcess server,
            DataDirectory data,
            DiskRoom room,
            Consumer<String> giveUpListener,
            LongSupplier nanoTime) {
        this.server = server;
        this.preparation = new Preparation(server);
        this.data = data;
        this.room = room;
        this.giveUpListener = giveUpListener;
        this.nanoTime = nanoTime;
    }

    public Server server() {
        return server.server();
    }

    /** Counts from 0 among the nodes of the same server. */
    public int index() {
        return server.index();
    }

    /** How often it was started again after a death that nobody asked for. */
    public long restarts() {
        return restarts.get();
    }

    /** From the last fork to the first good answer; zero before that. */
    public Duration startDuration() {
        return startDuration;
    }

    /** Whether it answered since its last start. */
    public boolean isReady() {
        lock.lock();
        try {
            return state == State.READY;
        } finally {
            lock.unlock();
        }
    }

    /** The process id of the server itself, not of its guard. Throws IllegalStateException when it does not run. */
    public long pid() {
        return running().pid();
    }

    /** Starts it if it is stopped or given up; returns at once. Earlier deaths are forgotten. */
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

    /** Stops it in order, by SIGKILL if it takes longer than six seconds, and waits for its end. It stays down until {@link #start}. */
    public void stop() {
        end(process -> {
            try {
                process.signalTree("CONT");
                process.requestStop();
            } catch (IOException e) {
                LOG.warn("{} cannot be asked to stop ({}): killing it", server.displayName(), e.toString());
                process.kill();
            }
        });
    }

    /** Sends SIGKILL; supervision starts it again. Throws IllegalStateException when it does not run. */
    public void kill() {
        running().kill();
    }

    /** Sends SIGKILL and waits for its end. It stays down until {@link #start}. */
    public void crash() {
        end(GuardedProcess::kill);
    }

    /** Sends SIGSTOP to it and its children: it holds its connections and answers nothing. */
    public void pause() {
        running().signal("STOP", server.displayName());
    }

    /** Ends a {@link #pause}. */
    public void resume() {
        running().signal("CONT", server.displayName());
    }

    /** Waits for the first answer after a start. False when the time is over. Throws StandaloneException when it is given up. */
    boolean awaitReady(Duration timeout) throws InterruptedException {
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

    String displayName() {
        return server.displayName();
    }

    private GuardedProcess running() {
        lock.lock();
        try {
            if (current == null) {
                throw new IllegalStateException(server.displayName() + " does not run");
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
            preparation.cutShort();
            long left = STOP_BOUND.toNanos();
            while (supervised) {
                if (left <= 0) {
                    if (current != null) {
                        current.kill();
                    }
                    left = STOP_BOUND.toNanos();
                }
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The guard goes on stopping it by itself.
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The supervising thread: one turn per life of the process. */
    private void supervise() {
        RestartPolicy policy = new RestartPolicy(room);
        String failure = null;
        try {
            while (failure == null && isWanted()) {
                failure = afterLife(lifeAndDeath(), policy);
            }
        } catch (StandaloneException e) {
            failure = isWanted() ? e.getMessage() : null;
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} cannot be started", server.displayName(), e);
            failure = isWanted()
                    ? server.displayName() + " cannot be started (" + e + "): see its log " + log() + "."
                    : null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failure =
                    isWanted() ? server.displayName() + " is no longer supervised: its thread was interrupted." : null;
        } finally {
            finish(failure);
        }
    }

    /** Lives once and says how that ended. One that was ready before and cannot be started again has died, too. */
    private String lifeAndDeath() throws IOException, InterruptedException {
        try {
            return "ended unasked with exit status " + liveOnce();
        } catch (IOException | UncheckedIOException e) {
            if (!wasReady()) {
                throw e;
            }
            LOG.debug("{} cannot be started again", server.displayName(), e);
            return "cannot be started again (" + e + ")";
        }
    }

    private boolean wasReady() {
        return !startDuration.isZero();
    }

    private int liveOnce() throws IOException, InterruptedException {
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
                if (server.answers(PROBE_TIMEOUT)) {
                    startDuration = Duration.ofNanos(nanoTime.getAsLong() - started);
                    enter(State.READY);
                    LOG.info("{} is ready after {} ms", server.displayName(), startDuration.toMillis());
                    return new WriteRefusals(server.displayName(), () -> server.refusesWrites(PROBE_TIMEOUT), room)
                            .watch(process, this::isWanted);
                }
                status = process.waitFor(PROBE_PAUSE);
            }
            return status;
        } finally {
            release();
        }
    }

    /** Waits as long as the policy says. The reason to give up, or null to go on. */
    private @Nullable String afterLife(String death, RestartPolicy policy) throws IOException, InterruptedException {
        if (!isWanted()) {
            return null;
        }
        switch (policy.afterDeath(nanoTime.getAsLong(), wasReady())) {
            case RestartPolicy.Decision.GiveUp() -> {
                return RestartPolicy.sentence(server.displayName(), death, log());
            }
            case RestartPolicy.Decision.Restart(Duration pause) -> {
                LOG.warn(
                        "{} {}; starting it again in {} ms, its log is {}",
                        server.displayName(),
                        death,
                        pause.toMillis(),
                        log());
                pause(pause);
            }
            case RestartPolicy.Decision.AwaitRoom() ->
                room.await(server.displayName() + " " + death, this::isWanted, this::pause, nanoTime);
        }
        if (isWanted()) {
            restarts.incrementAndGet();
        }
        return null;
    }

    /** Waits, unless it is stopped meanwhile. */
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
        return data.path().resolve("log").resolve(server.name() + ".log");
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

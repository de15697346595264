package io.heddle.perf.jmh;

import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.client.activity.Activity;
import io.heddle.core.client.activity.LoopActivity;
import io.heddle.core.mqtt.TopicName;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of the rankings of clients and topics: one operation is one message. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@State(Scope.Thread)
public class ActivityBenchmark {
    private static final int KEYS = 1 << 14;
    private static final int MESSAGES_PER_TURN = 1 << 10;

    private final TimedLoop loop = new TimedLoop();
    private final LoopActivity activity = new Activity().of(loop);
    private final ClientId[] clients = new ClientId[KEYS];
    private final TopicName[] topics = new TopicName[KEYS];
    private int next;

    public ActivityBenchmark() {
        for (int i = 0; i < KEYS; i++) {
            clients[i] = new ClientId("device-" + i);
            topics[i] = SampleData.parse("plant/line/" + i + "/state");
        }
    }

    /** A message of one of many clients in turn, at the highest rate, of which a sample is counted. */
    @Benchmark
    public void manyMessages() {
        int index = next++ & (KEYS - 1);
        if ((index & (MESSAGES_PER_TURN - 1)) == 0) {
            loop.turn();
        }
        activity.published(clients[index], topics[index], 64);
    }

    /** Runs its latest timer between two turns. */
    private static final class TimedLoop implements EventLoop {
        private @Nullable Runnable timer;
        private long dueNanos;

        void turn() {
            Runnable due = timer;
            if (due != null && System.nanoTime() - dueNanos >= 0) {
                timer = null;
                due.run();
            }
        }

        @Override
        public int index() {
            return 0;
        }

        @Override
        public boolean isCurrent() {
            return true;
        }

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            timer = task;
            dueNanos = System.nanoTime() + delay.toNanos();
            return () -> timer = null;
        }

        @Override
        public void inBackground(BackgroundWork work) {
            throw new UnsupportedOperationException("nothing runs in the background here");
        }
    }
}

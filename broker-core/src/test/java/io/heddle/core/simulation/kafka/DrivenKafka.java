package io.heddle.core.simulation.kafka;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.simulation.Mistake;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.testkit.UnboundedLag;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * A simulated Kafka whose virtual time a thread drives, so that tests that block can use it: the contracts of the ports. Every call and
 * every event holds its lock.
 */
final class DrivenKafka implements AutoCloseable {
    private static final long TURN_MICROS = 20_000;

    private final World world = new World(1, false, EnumSet.noneOf(Mistake.class));
    private final SimKafka kafka;
    private final SimKafkaClient client;
    private final BucketPositions positions;
    private final Thread driver =
            Thread.ofPlatform().daemon().name("driven-kafka").unstarted(this::drive);
    private boolean closed;

    DrivenKafka(int buckets) {
        this.kafka = new SimKafka(world, buckets);
        this.client = new SimKafkaClient(world, new SimProcess("test"), kafka, Runnable::run, new Incarnation(0, 0));
        this.positions = UnboundedLag.positions(buckets);
        driver.start();
    }

    private synchronized void drive() {
        try {
            while (!closed) {
                world.run(TURN_MICROS);
                TimeUnit.MILLISECONDS.timedWait(this, 1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    SimKafkaClient client() {
        return client;
    }

    BucketPositions positions() {
        return positions;
    }

    /** The values of all records of a partition, once the markers of its transactions are written. */
    synchronized List<Object> values(String topic, int number) {
        SimPartition partition = kafka.topic(topic).get(number);
        while (partition.lastStableOffset() < partition.end()) {
            world.run(TURN_MICROS);
        }
        return partition.read(0, Integer.MAX_VALUE).stream()
                .map(entry -> Objects.requireNonNull(entry.value()))
                .toList();
    }

    /** A port whose methods hold the lock. */
    <T> T port(Class<T> type, T port) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (_, method, arguments) -> {
                    synchronized (this) {
                        try {
                            Object result = method.invoke(port, arguments);
                            return result instanceof ApplicationLogs.Reading reading
                                    ? port(ApplicationLogs.Reading.class, reading)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }
                }));
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}

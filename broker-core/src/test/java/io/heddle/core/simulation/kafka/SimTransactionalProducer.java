package io.heddle.core.simulation.kafka;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import io.heddle.core.simulation.kafka.SimCoordinator.Answer;
import io.heddle.core.simulation.kafka.SimCoordinator.Initialised;
import io.heddle.core.simulation.kafka.SimTransactions.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The producer with one transactional id. States: not ready → ready → in a transaction → ready, or not ready after a transaction that can
 * neither be committed nor aborted. The next use then creates a new instance, which takes the next epoch. That instance is ready when the
 * log of nodes has no declaration that the process is dead.
 */
final class SimTransactionalProducer {
    private static final long RETRY_MICROS = 20_000;
    /** Below the coordinator's timeout, so that the process aborts the transaction and not Kafka. */
    private static final long DELIVERY_TIMEOUT_MICROS = 8_000_000;

    private static final int NOT_READY = -1;

    private final World world;
    private final SimProcess process;
    private final SimKafka kafka;
    private final SimLife life;
    private final String id;
    private int epoch = NOT_READY;

    SimTransactionalProducer(World world, SimProcess process, SimKafka kafka, SimLife life, String id) {
        this.world = world;
        this.process = process;
        this.kafka = kafka;
        this.life = life;
        this.id = id;
    }

    /** Runs a task when an instance is initialised. */
    void prepare(Runnable ready) {
        if (epoch != NOT_READY) {
            ready.run();
            return;
        }
        request(() -> kafka.coordinator().initialise(id), (Initialised answer) -> {
            if (answer.answer() == Answer.OK) {
                life.confirm(() -> {
                    epoch = answer.epoch();
                    ready.run();
                });
            } else {
                world.after(process, RETRY_MICROS, () -> prepare(ready));
            }
        });
    }

    private <T> void request(Supplier<T> call, Consumer<T> answer) {
        world.after(world.environment(), world.delay(), () -> {
            T answered = call.get();
            world.after(process, world.delay(), () -> answer.accept(answered));
        });
    }

    /** @param done receives null when the transaction is committed, else the reason */
    void write(List<Write> writes, Consumer<@Nullable Throwable> done) {
        new Transaction(writes, done).addPartitions();
    }

    /** One transaction of this producer. */
    private final class Transaction {
        private final List<Write> writes;
        private final Consumer<@Nullable Throwable> done;
        private final List<SimPartition> partitions;
        private final List<Runnable> written = new ArrayList<>();
        private int unanswered;
        private boolean ended;

        Transaction(List<Write> writes, Consumer<@Nullable Throwable> done) {
            this.writes = writes;
            this.done = done;
            this.partitions = writes.stream().map(Write::partition).distinct().toList();
            world.after(process, DELIVERY_TIMEOUT_MICROS, () -> abort("delivery timeout"));
        }

        void addPartitions() {
            request(() -> kafka.coordinator().addPartitions(id, epoch, partitions), answer -> {
                switch (answer) {
                    case OK -> produce();
                    case FENCED, INVALID_STATE -> fail("fenced");
                    case CONCURRENT_TRANSACTIONS, NOT_COORDINATOR ->
                        world.after(process, RETRY_MICROS, () -> {
                            if (!ended) {
                                addPartitions();
                            }
                        });
                }
            });
        }

        private void produce() {
            if (ended) {
                return;
            }
            unanswered = partitions.size();
            partitions.forEach(this::produce);
        }

        private void produce(SimPartition partition) {
            List<Write> ofPartition = writes.stream()
                    .filter(write -> write.partition().equals(partition))
                    .toList();
            int epochOfRequest = epoch;
            world.after(world.environment(), world.delay(), () -> {
                if (partition.isAway()) {
                    world.after(process, RETRY_MICROS, () -> {
                        if (!ended) {
                            produce(partition);
                        }
                    });
                    return;
                }
                SimPartition.Part part = kafka.coordinator().verify(id, epochOfRequest, partition);
                if (part == null) {
                    world.after(process, world.delay(), () -> abort("invalid producer epoch"));
                    return;
                }
                long[] offsets = ofPartition.stream()
                        .mapToLong(write -> partition.append(write.key(), write.value(), part))
                        .toArray();
                world.after(process, world.delay(), () -> produced(ofPartition, offsets));
            });
        }

        private void produced(List<Write> ofPartition, long[] offsets) {
            if (ended) {
                return;
            }
            for (int i = 0; i < offsets.length; i++) {
                Write write = ofPartition.get(i);
                long offset = offsets[i];
                written.add(() -> write.written().accept(offset));
            }
            unanswered--;
            if (unanswered == 0) {
                ended = true;
                end(true);
            }
        }

        /** Asks until the coordinator answers, because an end that was not answered may have happened. */
        private void end(boolean commit) {
            request(() -> kafka.coordinator().end(id, epoch, commit), answer -> {
                switch (answer) {
                    case OK -> {
                        epoch++;
                        if (commit) {
                            written.forEach(Runnable::run);
                        }
                        done.accept(commit ? null : new IllegalStateException("aborted"));
                    }
                    case FENCED, INVALID_STATE -> {
                        epoch = NOT_READY;
                        done.accept(new IllegalStateException("fenced"));
                    }
                    case CONCURRENT_TRANSACTIONS, NOT_COORDINATOR ->
                        world.after(process, RETRY_MICROS, () -> end(commit));
                }
            });
        }

        private void abort(String reason) {
            if (!ended) {
                ended = true;
                world.trace(() -> id + " aborts: " + reason);
                end(false);
            }
        }

        private void fail(String reason) {
            if (!ended) {
                ended = true;
                epoch = NOT_READY;
                done.accept(new IllegalStateException(reason));
            }
        }
    }
}

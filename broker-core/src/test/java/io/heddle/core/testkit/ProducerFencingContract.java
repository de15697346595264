package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The contract of {@link ProducerFencing}. Other tests may have left ids of other incarnations. */
public abstract class ProducerFencingContract {
    /** A producer with a transactional id. */
    protected interface TestProducer {
        /** Returns whether a commit succeeds. */
        boolean commits() throws Exception;
    }

    private final Incarnation incarnation =
            new Incarnation(7, RandomGenerator.getDefault().nextInt());
    private final TransactionalId first = new TransactionalId(incarnation, 0);
    private final TransactionalId second = new TransactionalId(incarnation, 1);

    /** The fencing under test, the same throughout a test. */
    protected abstract ProducerFencing fencing();

    /** Initialises a producer, which stays usable until the end of the test. */
    protected abstract TestProducer initialise(TransactionalId id) throws Exception;

    @Test
    void anInitialisedProducerIsUnfencedEvenIfItNeverCommitted() throws Exception {
        initialise(first);
        TestProducer used = initialise(second);
        assertThat(used.commits()).isTrue();

        assertThat(answer(fencing().unfenced())).contains(first, second);
    }

    @Test
    void aFencedProducerCommitsNoMore() throws Exception {
        TestProducer idle = initialise(first);
        TestProducer used = initialise(second);
        assertThat(used.commits()).isTrue();

        var _ = answer(fencing().fence(Set.of(first, second)));

        assertThat(idle.commits()).isFalse();
        assertThat(used.commits()).isFalse();
        assertThat(answer(fencing().unfenced())).doesNotContain(first, second);
    }

    @Test
    void aProducerThatIsInitialisedAgainIsUnfenced() throws Exception {
        initialise(first);
        var _ = answer(fencing().fence(Set.of(first)));
        TestProducer again = initialise(first);

        assertThat(again.commits()).isTrue();
        assertThat(answer(fencing().unfenced())).contains(first);
    }

    @Test
    void otherProducersGoOn() throws Exception {
        TestProducer other = initialise(first);
        initialise(second);
        var _ = answer(fencing().fence(Set.of(second)));

        assertThat(other.commits()).isTrue();
    }

    @Test
    void anIdThatNoProducerHasUsedCanBeFenced() throws Exception {
        var _ = answer(fencing().fence(Set.of(first)));
        var _ = answer(fencing().fence(Set.of()));

        assertThat(answer(fencing().unfenced())).doesNotContain(first);
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
    }
}

package io.heddle.core.testkit;

import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;

class InMemoryProducerFencingTest extends ProducerFencingContract {
    private final InMemoryProducerFencing fake = new InMemoryProducerFencing();

    @Override
    protected ProducerFencing fencing() {
        return fake;
    }

    @Override
    protected TestProducer initialise(TransactionalId id) {
        return fake.initialise(id)::commits;
    }
}

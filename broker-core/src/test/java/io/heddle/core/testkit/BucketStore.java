package io.heddle.core.testkit;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.persistent.SessionRegistry;

/** A store under test, which implements two ports, and its faults. */
public interface BucketStore {
    DeviceQueues queues();

    SessionRegistry registry();

    /** Loses the position of a bucket and nothing else. */
    void losePosition(int bucket);

    /** Loses everything. */
    void loseEverything();
}

package io.heddle.core.testkit;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.persistent.SessionRegistry;

/** A store under test, which is behind two ports, and what may befall it. */
public interface BucketStore {
    DeviceQueues queues();

    SessionRegistry registry();

    /** Forgets where a bucket stands in its log, and nothing else. */
    void losePosition(int bucket);

    /** Forgets everything. */
    void loseEverything();

    /** Its time, in microseconds since 1970. */
    long micros();
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetectorFactory;
import org.junit.jupiter.api.Test;

/** Proves that the leak detector is active in tests of the whole broker. */
class BufferLeakWatchIT {
    @Test
    void leakedBuffersFailTheTestsOfTheWholeBroker() {
        assertThat(ResourceLeakDetectorFactory.instance().getClass().getName()).contains(".BufferLeaks$");
    }
}

package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.ResourceLeakDetectorFactory;
import org.junit.jupiter.api.Test;

/** Without the watch, the tests of the whole broker would pass over buffers that nobody releases. */
class BufferLeakWatchIT {
    @Test
    void leakedBuffersFailTheTestsOfTheWholeBroker() {
        assertThat(ResourceLeakDetectorFactory.instance().getClass().getName()).contains(".BufferLeaks$");
    }
}

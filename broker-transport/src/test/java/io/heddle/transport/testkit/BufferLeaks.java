package io.heddle.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class if a buffer allocated while it ran was garbage collected without being released. Buffers of other libraries' clients
 * do not count: Lettuce loses one now and then when a connection is given up, or its event loop ends, while it connects.
 */
public final class BufferLeaks implements BeforeAllCallback, AfterAllCallback {
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

    static {
        // Set before Netty's buffer classes are loaded, because they request their detector once.
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    }

    @Override
    public void afterAll(ExtensionContext context) throws InterruptedException {
        assertThat(findAll()).as("leaked buffers").isEmpty();
    }

    /** Returns the leaks found since the last call. */
    static Queue<String> findAll() throws InterruptedException {
        collectGarbage();
        // The detector checks for collected buffers whenever a buffer is allocated.
        ByteBuf probe = PooledByteBufAllocator.DEFAULT.directBuffer(1);
        probe.release();
        Queue<String> found = new ConcurrentLinkedQueue<>(LEAKS);
        LEAKS.clear();
        return found;
    }

    /** @param records the stack traces of a leak; buffers that the broker and another library share count */
    static boolean isOfAnotherLibrary(String records) {
        return (records.contains("\tio.lettuce.") || records.contains("\tcom.hivemq.client."))
                && !records.contains("\tio.heddle.");
    }

    private static void collectGarbage() throws InterruptedException {
        // One thread fills the queues, collection by collection: after a second one, all leaks of the first are in
        // their queue.
        for (int round = 0; round < 2; round++) {
            ReferenceQueue<Object> collected = new ReferenceQueue<>();
            PhantomReference<Object> sentinel = new PhantomReference<>(new Object(), collected);
            do {
                System.gc();
            } while (collected.remove(100) == null);
            sentinel.clear();
        }
    }

    private static final class RecordingFactory extends ResourceLeakDetectorFactory {
        @Override
        @SuppressWarnings("deprecation") // The abstract method is deprecated but must be implemented.
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
                Class<T> resource, int samplingInterval, long maximumActive) {
            return new RecordingDetector<>(resource, samplingInterval);
        }
    }

    private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {
        RecordingDetector(Class<?> resource, int samplingInterval) {
            super(resource, samplingInterval);
        }

        @Override
        protected boolean needReport() {
            return true;
        }

        @Override
        protected void reportTracedLeak(String resourceType, String records) {
            if (!isOfAnotherLibrary(records)) {
                LEAKS.add(resourceType + records);
            }
        }

        @Override
        protected void reportUntracedLeak(String resourceType) {
            LEAKS.add(resourceType);
        }
    }
}

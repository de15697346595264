package io.heddle.transport.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class BufferLeaksTest {
    @Test
    void leakedBufferIsFound() throws InterruptedException {
        forgetABuffer();

        assertThat(BufferLeaks.findAll()).isNotEmpty();
    }

    private static void forgetABuffer() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeByte(1);
    }
}

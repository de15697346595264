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

    @Test
    void buffersOfOtherLibrariesDoNotCount() {
        String netty = "\n\tio.netty.buffer.AbstractByteBufAllocator.buffer(AbstractByteBufAllocator.java:96)";
        String lettuce = "\n\tio.lettuce.core.protocol.CommandHandler.channelRegistered(CommandHandler.java:224)";
        String heddle = "\n\tio.heddle.persistence.redis.RedisServer.open(RedisServer.java:1)";

        assertThat(BufferLeaks.isOfAnotherLibrary(netty + lettuce + netty)).isTrue();
        assertThat(BufferLeaks.isOfAnotherLibrary(netty + lettuce + heddle)).isFalse();
        assertThat(BufferLeaks.isOfAnotherLibrary(netty)).isFalse();
    }

    private static void forgetABuffer() {
        PooledByteBufAllocator.DEFAULT.directBuffer(16).writeByte(1);
    }
}

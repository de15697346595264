package io.heddle.transport.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ClientHellos with and without a question for an OCSP response. */
final class ClientHelloHandlerTest {
    private static final int HEADERS_BYTES = 9;

    /** Without the headers of the record and of the handshake message. */
    private static ByteBuf hello(boolean isAsking) throws Exception {
        SslContext context = SslContextBuilder.forClient()
                .sslProvider(SslProvider.OPENSSL)
                .enableOcsp(isAsking)
                .build();
        SSLEngine engine = context.newEngine(ByteBufAllocator.DEFAULT, "localhost", 1);
        try {
            ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            var _ = engine.wrap(ByteBuffer.allocate(0), record);
            return Unpooled.wrappedBuffer(record.flip()).skipBytes(HEADERS_BYTES);
        } finally {
            ReferenceCountUtil.release(engine);
            ReferenceCountUtil.release(context);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void onlyClientsThatAskForAResponseWantOne(boolean isAsking) throws Exception {
        assertThat(ClientHelloHandler.hasStatusRequest(hello(isAsking))).isEqualTo(isAsking);
    }

    @Test
    void aClientHelloThatEndsTooEarlyIsMalformed() throws Exception {
        ByteBuf hello = hello(false);
        assertThatThrownBy(() -> ClientHelloHandler.hasStatusRequest(
                        hello.slice(hello.readerIndex(), hello.readableBytes() - 1)))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aClientHelloWithoutExtensionsAsksForNothing() {
        ByteBuf hello = Unpooled.buffer()
                .writeZero(34)
                .writeByte(0)
                .writeShort(2)
                .writeShort(0x002f)
                .writeByte(1)
                .writeByte(0);
        assertThat(ClientHelloHandler.hasStatusRequest(hello)).isFalse();
    }
}

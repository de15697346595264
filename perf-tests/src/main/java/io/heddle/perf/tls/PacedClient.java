package io.heddle.perf.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A well-behaved client: measures how long its messages take on an open connection, and how long new connections take. One thread. */
final class PacedClient implements AutoCloseable {
    private static final int MESSAGES = 10_000;
    private static final long MESSAGE_PAUSE_NANOS = 1_000_000;
    private static final int MESSAGES_PER_CONNECT = 100;

    private final EventLoopGroup loops;
    private final int port;
    private final SslContext context;
    private final Echoes echoes = new Echoes();
    private final Channel channel;

    /** Opens the connection for the messages. */
    PacedClient(EventLoopGroup loops, int port, SslContext context) throws Exception {
        this.loops = loops;
        this.port = port;
        this.context = context;
        this.channel = EchoClients.connect(loops, port, context, echoes);
    }

    /** Latencies in milliseconds. */
    record Latencies(double p50, double p99, double connectP50, double connectP99, int failedConnects) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "message p50 %.2f ms, p99 %.2f ms, connect p50 %.1f ms, p99 %.1f ms, failed %d",
                    p50,
                    p99,
                    connectP50,
                    connectP99,
                    failedConnects);
        }
    }

    /** Takes ten seconds. */
    Latencies measure() throws Exception {
        CompletableFuture<long[]> answers = new CompletableFuture<>();
        var _ = channel.eventLoop().submit(() -> echoes.begin(answers)).sync();
        List<CompletableFuture<Long>> connects = new ArrayList<>();
        long start = System.nanoTime();
        for (int i = 0; i < MESSAGES; i++) {
            long due = start + i * MESSAGE_PAUSE_NANOS;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            ByteBuf message = Unpooled.directBuffer(Long.BYTES).writeLong(due);
            var _ = channel.writeAndFlush(message);
            if (i % MESSAGES_PER_CONNECT == 0) {
                connects.add(EchoClients.timedConnect(loops, port, context));
            }
        }
        long[] messages = answers.get(1, TimeUnit.MINUTES);
        int failed = 0;
        List<Long> durations = new ArrayList<>();
        for (CompletableFuture<Long> connect : connects) {
            try {
                durations.add(connect.get(1, TimeUnit.MINUTES));
            } catch (ExecutionException refused) {
                failed++;
            }
        }
        long[] sorted = durations.stream().mapToLong(Long::longValue).sorted().toArray();
        return new Latencies(
                millis(messages, 0.5), millis(messages, 0.99), millis(sorted, 0.5), millis(sorted, 0.99), failed);
    }

    private static double millis(long[] sorted, double quantile) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) (quantile * (sorted.length - 1))] / 1e6;
    }

    @Override
    public void close() {
        var _ = channel.close();
    }

    /** Collects the latencies of messages, each of which has the time at which it was due. Owned by the event loop. */
    private static final class Echoes extends SimpleChannelInboundHandler<ByteBuf> {
        private final ByteBuf received = Unpooled.buffer(MESSAGES * Long.BYTES);
        private long[] latencies = new long[MESSAGES];
        private CompletableFuture<long[]> answers = new CompletableFuture<>();
        private int count;

        void begin(CompletableFuture<long[]> sorted) {
            received.clear();
            latencies = new long[MESSAGES];
            answers = sorted;
            count = 0;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            received.writeBytes(bytes);
            long now = System.nanoTime();
            while (received.readableBytes() >= Long.BYTES && count < MESSAGES) {
                latencies[count] = now - received.readLong();
                count++;
            }
            if (count == MESSAGES) {
                Arrays.sort(latencies);
                answers.complete(latencies);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            answers.completeExceptionally(new IllegalStateException("the server has closed the connection"));
        }
    }
}

package io.heddle.perf.tls;

import io.heddle.transport.admission.Peer;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.tls.ClientCertificates;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.ListenerTls;
import io.heddle.transport.tls.TlsHandshakes;
import io.heddle.transport.tls.TlsProvider;
import io.heddle.transport.tls.TlsSettings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Echoes bytes, with the handlers of TLS of a listener or without, on one event loop. */
final class EchoServer implements AutoCloseable {
    private static final String LOOP = "echo-server";
    private static final String TLS_THREADS = "heddle-tls-";
    private static final long PAUSE_NANOS = 10_000_000;

    private final @Nullable TlsProvider provider;
    private final EventLoopGroup loops =
            new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(LOOP), NioIoHandler.newFactory());
    private final TlsHandshakes handshakes;
    private final @Nullable Certificates certificates;
    private final Issued authority;
    private final Path directory;
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();
    private final int port;

    /** @param provider null for plain TCP */
    EchoServer(@Nullable TlsProvider provider) throws IOException, InterruptedException {
        this.provider = provider;
        this.directory = Files.createTempDirectory("tls-cost");
        TrialCertificates trial =
                new TrialCertificates(new SecureRandom(), Clock.systemUTC().instant(), Duration.ofDays(1));
        this.authority = trial.authority("Authority");
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        this.handshakes = new TlsHandshakes(1_000, Duration.ofSeconds(10), 2, System::nanoTime, registry);
        this.certificates = provider == null
                ? null
                : new Certificates(
                        List.of(settings(trial, provider)), handshakes, Duration.ZERO, Clock.systemUTC(), registry);
        this.port = listen(certificates == null ? null : certificates.tls(LOOP));
    }

    private TlsSettings settings(TrialCertificates trial, TlsProvider chosen) throws IOException {
        Issued server = trial.server(authority, List.of("localhost"));
        KeyFiles key = new KeyFiles(
                "tls",
                Files.writeString(directory.resolve("server.pem"), server.certificatePem()),
                Files.writeString(directory.resolve("server-key.pem"), server.keyPem()),
                "");
        Files.writeString(authorityFile(), authority.certificatePem());
        return new TlsSettings(
                LOOP,
                "tls",
                List.of(key),
                ClientCertificates.OFF,
                null,
                TlsSettings.PROTOCOLS,
                List.of(),
                chosen,
                TlsSettings.SESSION_TIMEOUT);
    }

    Path authorityFile() {
        return directory.resolve("ca.pem");
    }

    private int listen(@Nullable ListenerTls tls) throws InterruptedException {
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1_024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted.incrementAndGet();
                        if (tls != null) {
                            tls.addTo(channel.pipeline(), Peer.at(channel.remoteAddress()), () -> {});
                        }
                        channel.pipeline().addLast(new Echo(connections));
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        return ((InetSocketAddress) server.localAddress()).getPort();
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        private final AtomicInteger connections;

        Echo(AtomicInteger connections) {
            this.connections = connections;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            connections.incrementAndGet();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            connections.decrementAndGet();
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var _ = context.writeAndFlush(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }

    String name() {
        return provider == null ? "plain" : provider.name().toLowerCase(Locale.ROOT);
    }

    boolean isEncrypted() {
        return provider != null;
    }

    int port() {
        return port;
    }

    X509Certificate authority() {
        return authority.certificate();
    }

    /** Returns when there are so many connections whose handshakes are complete. */
    void awaitConnections(int count) {
        while (connections.get() != count || handshakes.inProgress() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Returns when so many further connections have been accepted. */
    void awaitAccepted(int further) {
        int target = accepted.get() + further;
        while (accepted.get() < target) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    int handshakesInProgress() {
        return handshakes.inProgress();
    }

    /** Returns the processor time of the threads of the server until now. */
    long cpuNanos() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null
                    && (thread.getThreadName().startsWith(LOOP)
                            || thread.getThreadName().startsWith(TLS_THREADS))) {
                sum += threads.getThreadCpuTime(thread.getThreadId());
            }
        }
        return sum;
    }

    @Override
    public void close() {
        var _ = loops.shutdownGracefully().awaitUninterruptibly();
        if (certificates != null) {
            certificates.close();
        }
        handshakes.close();
    }
}

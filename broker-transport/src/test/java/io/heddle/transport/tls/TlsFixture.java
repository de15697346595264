package io.heddle.transport.tls;

import io.heddle.core.RemoteNetwork;
import io.heddle.transport.admission.Peer;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** A server that echoes bytes over TLS, certificates, and clients of the JDK. Everything is closed after the test. */
public final class TlsFixture {
    /** The time limit for steps that may be slow on a busy machine. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    static final String LISTENER = "mqtts";
    static final String SETTING = "heddle.mqtt.tls";

    private final Path directory;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<AutoCloseable> resources = new ArrayList<>();
    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final TrialCertificates trial = trial(Duration.ofDays(90));
    private final Issued authority = trial.authority("Trial authority");

    public TlsFixture(Path directory) {
        this.directory = directory;
    }

    static TrialCertificates trial(Duration validity) {
        return new TrialCertificates(new SecureRandom(), Instant.now(), validity);
    }

    public TrialCertificates trial() {
        return trial;
    }

    public Issued authority() {
        return authority;
    }

    public SimpleMeterRegistry registry() {
        return registry;
    }

    public Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    /** Writes a certificate for the hosts, and its key, into two files. */
    public KeyFiles serverKey(String name, String... hosts) throws IOException {
        return keyFiles(name, trial.server(authority, List.of(hosts)));
    }

    public KeyFiles keyFiles(String name, Issued issued) throws IOException {
        return new KeyFiles(
                SETTING, write(name + ".pem", issued.certificatePem()), write(name + "-key.pem", issued.keyPem()), "");
    }

    /** TLS for one certificate with clients that have certificates of the authority. */
    public TlsSettings withClients(ClientCertificates mode, KeyFiles key, TlsProvider provider, Path... lists)
            throws IOException {
        return new TlsSettings(
                LISTENER,
                SETTING,
                List.of(key),
                mode,
                new TrustFiles(SETTING, write("clients.pem", authority.certificatePem()), "", List.of(lists)),
                TlsSettings.PROTOCOLS,
                List.of(),
                provider,
                TlsSettings.SESSION_TIMEOUT);
    }

    public static TlsSettings with(TlsProvider provider, KeyFiles... keys) {
        return new TlsSettings(
                LISTENER,
                SETTING,
                List.of(keys),
                ClientCertificates.OFF,
                null,
                TlsSettings.PROTOCOLS,
                List.of(),
                provider,
                TlsSettings.SESSION_TIMEOUT);
    }

    public TlsHandshakes handshakes(int maximum, Duration timeout) {
        TlsHandshakes handshakes = new TlsHandshakes(maximum, timeout, 2, System::nanoTime, registry);
        resources.add(handshakes);
        return handshakes;
    }

    public Certificates certificates(TlsHandshakes handshakes, TlsSettings settings) {
        return certificates(handshakes, settings, null);
    }

    public Certificates certificates(TlsHandshakes handshakes, TlsSettings settings, @Nullable Staples staples) {
        Certificates certificates = new Certificates(
                List.of(settings), handshakes, staples, Duration.ofDays(30), Clock.systemUTC(), registry);
        resources.add(certificates);
        return certificates;
    }

    /** Starts a server; returns its address. */
    public InetSocketAddress serve(TlsSettings settings) throws InterruptedException {
        return serve(certificates(handshakes(1_000, Duration.ofSeconds(30)), settings)
                .tls(settings.listener()));
    }

    public InetSocketAddress serve(ListenerTls tls) throws InterruptedException {
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
        // First to be closed: connections use the certificates. They are closed before the loops, which otherwise may
        // drop the task that
        // frees an engine of OpenSSL.
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        resources.add(() -> {
            var _ = connections.close().sync();
            var _ = loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).sync();
        });
        Channel server = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        connections.add(channel);
                        tls.addTo(channel.pipeline(), peer(channel.remoteAddress()), refused::incrementAndGet);
                        channel.pipeline().addLast(new Echo());
                        accepted.add(channel);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .sync()
                .channel();
        connections.add(server);
        return (InetSocketAddress) server.localAddress();
    }

    private static Peer peer(SocketAddress address) {
        return new Peer() {
            @Override
            public SocketAddress address() {
                return address;
            }

            @Override
            public String network() {
                return RemoteNetwork.of(address);
            }
        };
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            var _ = context.writeAndFlush(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
            if (event instanceof CertificateRefused) {
                var _ = context.close();
            }
            super.userEventTriggered(context, event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }

    /** Returns the next connection that the server has accepted. */
    Channel accepted() throws InterruptedException {
        return Objects.requireNonNull(accepted.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "no connection");
    }

    /** Returns a context of clients that trust the authority. */
    public SSLContext clients(@Nullable Issued client) throws GeneralSecurityException, IOException {
        return clients(authority.certificate(), client);
    }

    public static SSLContext clients(X509Certificate trusted, @Nullable Issued client)
            throws GeneralSecurityException, IOException {
        KeyStore trust = KeyStore.getInstance("PKCS12");
        trust.load(null, null);
        trust.setCertificateEntry("authority", trusted);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trust);
        KeyManager[] keys = null;
        if (client != null) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("client", client.key(), new char[0], new X509Certificate[] {client.certificate()});
            KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
            factory.init(store, new char[0]);
            keys = factory.getKeyManagers();
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trustManagers.getTrustManagers(), null);
        return context;
    }

    /** Connects and completes the handshake. */
    public SSLSocket connect(InetSocketAddress address, SSLContext context, @Nullable String name, String... protocols)
            throws IOException {
        Socket plain = new Socket();
        resources.add(plain);
        plain.connect(address);
        plain.setSoTimeout((int) PATIENCE.toMillis());
        SSLSocket socket =
                (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", address.getPort(), true);
        SSLParameters parameters = socket.getSSLParameters();
        if (name != null) {
            parameters.setServerNames(List.of(new SNIHostName(name)));
        }
        if (protocols.length > 0) {
            parameters.setProtocols(protocols);
        }
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Sends bytes and returns whether they come back; throws if the server ends the connection. */
    public static boolean echoes(SSLSocket socket) throws IOException {
        byte[] text = {1, 2, 3, 4, 5};
        socket.getOutputStream().write(text);
        socket.getOutputStream().flush();
        byte[] back = socket.getInputStream().readNBytes(text.length);
        if (back.length == 0) {
            throw new IOException("the server has closed the connection");
        }
        return Arrays.equals(text, back);
    }

    /** Returns the subject of the certificate of the server. */
    static String subject(SSLSocket socket) throws IOException {
        X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
        return certificate.getSubjectX500Principal().getName();
    }

    public double count(String meter, String... tags) {
        Counter counter = registry.find(meter).tags(tags).counter();
        return Objects.requireNonNull(counter, meter).count();
    }

    double failures(HandshakeFailure reason) {
        return count("heddle.tls.handshake.failures", "reason", reason.tag());
    }

    /** Returns the number of connections that the server has refused. */
    int refused() {
        return refused.get();
    }

    public void close() throws Exception {
        for (AutoCloseable resource : resources.reversed()) {
            resource.close();
        }
    }
}

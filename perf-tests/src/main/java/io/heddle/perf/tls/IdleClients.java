package io.heddle.perf.tls;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;

/** A process with connections that do nothing. Ends with its standard input. */
final class IdleClients implements AutoCloseable {
    static final String NAME = "idle-clients";

    private final Process process;
    private final int count;

    private IdleClients(Process process, int count) {
        this.process = process;
        this.count = count;
    }

    static IdleClients start(EchoServer server, int count) throws IOException {
        return start(NAME, server, count);
    }

    /** @param program the argument of the main class that selects the program of the process */
    static IdleClients start(String program, EchoServer server, int count) throws IOException {
        // At the lowest priority, to take as little as possible of the processors, as if they were on another machine.
        List<String> command = List.of(
                "nice",
                "-n",
                "19",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                TlsCost.class.getName(),
                program,
                Integer.toString(server.port()),
                Integer.toString(count),
                server.isEncrypted() ? server.authorityFile().toString() : "");
        return new IdleClients(
                new ProcessBuilder(command)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start(),
                count);
    }

    int count() {
        return count;
    }

    static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        SslContext context = arguments[3].isEmpty() ? null : EchoClients.context(certificate(Path.of(arguments[3])));
        EventLoopGroup loops = EchoClients.loops();
        Bootstrap bootstrap = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (context != null) {
                            channel.pipeline().addLast(context.newHandler(channel.alloc(), EchoClients.HOST, port));
                        }
                    }
                });
        for (int i = 0; i < count; i++) {
            SocketChannel channel =
                    (SocketChannel) bootstrap.connect("127.0.0.1", port).sync().channel();
            SslHandler handler = channel.pipeline().get(SslHandler.class);
            if (handler != null) {
                var _ = handler.handshakeFuture().sync();
            }
        }
        var _ = System.in.readAllBytes();
        System.exit(0);
    }

    private static X509Certificate certificate(Path file) throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    @Override
    public void close() {
        process.destroy();
        var _ = process.onExit().join();
    }
}

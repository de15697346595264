package io.heddle.persistence.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A server with TLS on 127.0.0.1 that passes everything on to one without. Thread-safe; three virtual threads for each connection. */
final class TlsProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile SSLContext certificate;

    private TlsProxy(InetSocketAddress target, TestAuthority authority) throws IOException, GeneralSecurityException {
        this.target = target;
        this.certificate = authority.server();
        this.listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    }

    /** Listens on a free port. */
    static TlsProxy to(InetSocketAddress target, TestAuthority authority) throws IOException, GeneralSecurityException {
        TlsProxy proxy = new TlsProxy(target, authority);
        Thread.ofVirtual().name("tls-proxy-accept").start(proxy::accept);
        return proxy;
    }

    String hostAndPort() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Shows another certificate from now on, and closes all connections. */
    void use(TestAuthority authority) throws IOException, GeneralSecurityException {
        certificate = authority.server();
        closeConnections();
    }

    private void accept() {
        while (true) {
            try {
                Socket accepted = listener.accept();
                Thread.ofVirtual().name("tls-proxy").start(() -> serve(accepted));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket accepted) {
        sockets.add(accepted);
        try (SSLSocket client = (SSLSocket) certificate.getSocketFactory().createSocket(accepted, null, true);
                Socket server = new Socket(target.getAddress(), target.getPort())) {
            client.startHandshake();
            Thread answers = Thread.ofVirtual().name("tls-proxy-answers").start(() -> pass(server, client));
            pass(client, server);
            server.shutdownOutput();
            answers.join();
        } catch (IOException closed) {
            // The client does not trust the certificate, or has left.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(accepted);
        }
    }

    private static void pass(Socket from, Socket to) {
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            in.transferTo(out);
        } catch (IOException closed) {
            // The other direction ends, too.
        }
    }

    private void closeConnections() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeConnections();
    }
}

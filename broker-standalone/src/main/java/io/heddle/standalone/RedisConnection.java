package io.heddle.standalone;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;

/** An authenticated connection that sends one command at a time. Used only for probes and for forming a cluster. */
final class RedisConnection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    private RedisConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        this.out = socket.getOutputStream();
    }

    static RedisConnection open(int port, String password, Duration timeout) throws IOException {
        RedisConnection connection = new RedisConnection(Loopback.connect(port, timeout));
        try {
            connection.execute("AUTH", password);
        } catch (IOException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /** Returns the reply: a simple string, an integer in digits, or a bulk string (empty if nil). Throws IOException for an error. */
    String execute(String... command) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String argument : command) {
            byte[] bytes = argument.getBytes(StandardCharsets.UTF_8);
            request.writeBytes(ascii("$" + bytes.length + "\r\n"));
            request.writeBytes(bytes);
            request.writeBytes(ascii("\r\n"));
        }
        out.write(request.toByteArray());
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '$' -> bulk(Integer.parseInt(rest));
            case '-' -> throw new IOException("Redis replied with an error: " + rest);
            default -> throw new IOException("Redis replied with an unexpected type: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        in.skipNBytes(2);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.readUnsignedByte();
        while (next != '\r') {
            line.write(next);
            next = in.readUnsignedByte();
        }
        in.skipNBytes(1);
        if (line.size() == 0) {
            throw new IOException("Redis replied with an empty line");
        }
        return Objects.requireNonNull(line.toString(StandardCharsets.UTF_8));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}

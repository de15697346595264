package io.heddle.persistence.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scripts that run in Redis: resources {@code lua/*.lua}. Redis has no includes, so what several need (session.lua, bucket.lua) is
 * put before each of them here.
 */
enum LuaScript {
    ACKNOWLEDGE("session", "removal"),
    APPLY("session", "bucket", "removal"),
    CONNECT("session", "bucket"),
    DISCONNECT("session"),
    END("session"),
    PAGE("session"),
    POSITION("session", "bucket"),
    RESTORE("session");

    private final String label = name().toLowerCase(Locale.ROOT);
    private final String text;
    private final String digest;

    LuaScript(String... needed) {
        StringBuilder whole = new StringBuilder();
        for (String part : needed) {
            whole.append(resource(part));
        }
        text = whole.append(resource(label)).toString();
        digest = sha1(text());
    }

    /** Its name in metrics and sentences. */
    String label() {
        return label;
    }

    /** The whole of it. */
    byte[] text() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** What EVALSHA calls it by. */
    String digest() {
        return digest;
    }

    private static String resource(String name) {
        String path = "/lua/" + name + ".lua";
        try (@Nullable InputStream in = LuaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + path + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sha1(byte[] text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(text));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1", e);
        }
    }
}

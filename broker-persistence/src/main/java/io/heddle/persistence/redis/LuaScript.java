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
 * The Lua scripts in the resources {@code lua/*.lua}. Redis has no includes, so shared parts (session.lua, bucket.lua, removal.lua) are
 * prepended here.
 */
enum LuaScript {
    ACKNOWLEDGE("session", "removal"),
    APPLY("session", "bucket", "removal"),
    CONNECT("session", "bucket"),
    DISCONNECT("session"),
    END("session"),
    PAGE("session"),
    POSITION("session", "bucket"),
    RESTORE("session"),
    TAILS("session"),
    VIEW("session");

    private final String label = name().toLowerCase(Locale.ROOT);
    private final String text;
    private final String digest;

    LuaScript(String... includes) {
        StringBuilder source = new StringBuilder();
        for (String part : includes) {
            source.append(resource(part));
        }
        text = source.append(resource(label)).toString();
        digest = sha1(text());
    }

    /** Returns the script's name in metrics and messages. */
    String label() {
        return label;
    }

    /** Returns the source with its includes. */
    byte[] text() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the SHA-1 by which EVALSHA runs the script. */
    String digest() {
        return digest;
    }

    private static String resource(String name) {
        String path = "/lua/" + name + ".lua";
        try (@Nullable InputStream in = LuaScript.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IllegalStateException("resource " + path + " is missing");
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

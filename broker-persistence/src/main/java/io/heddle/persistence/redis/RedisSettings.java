package io.heddle.persistence.redis;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import io.lettuce.core.RedisURI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of Redis, the authorities of its certificate, and the time limits of its connections.
 *
 * @param url {@code heddle.redis.url}: {@code redis://[[user]:password@]host[:port]}, {@code rediss://} for TLS; for a Redis Cluster
 *     some of its nodes, separated by commas, of which only the first needs the scheme and the password. Contains a secret.
 * @param trustStore {@code heddle.redis.trust-store}: a PEM file; null for the authorities that Java trusts
 * @param connectTimeout {@code heddle.redis.connect-timeout}
 * @param commandTimeout {@code heddle.redis.command-timeout}
 */
public record RedisSettings(String url, @Nullable Path trustStore, Duration connectTimeout, Duration commandTimeout) {
    // Stricter than Lettuce, which parses an invalid port as part of the host name.
    private static final Pattern FORMAT = Pattern.compile(
            "(?i)rediss?://([^@/?#]*@)?(\\[[0-9a-f:.]+]|[^@:/?#\\[\\]]+)(:[0-9]{1,5})?(/[0-9]*)?(\\?.*)?");

    public RedisSettings {
        SettingRule.notBlank("heddle.redis.url", url, "redis://localhost:6379");
        SettingRule.between(
                "heddle.redis.connect-timeout", connectTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        SettingRule.between(
                "heddle.redis.command-timeout", commandTimeout, Duration.ofMillis(100), Duration.ofMinutes(5));
        List<RedisURI> servers = parse(url, commandTimeout);
        if (trustStore != null && servers.stream().noneMatch(RedisURI::isSsl)) {
            throw new StartupException(
                    "heddle.redis.trust-store is " + trustStore
                            + ", but heddle.redis.url begins with redis://, which means no TLS: write rediss://, or remove"
                            + " heddle.redis.trust-store",
                    null);
        }
        if (trustStore != null) {
            var _ = RedisTrust.read(trustStore);
        }
    }

    /** Returns the servers in the URL, at least one. */
    List<RedisURI> uris() {
        return parse(url, commandTimeout);
    }

    /** Returns hosts and ports without the password, for messages and logs. */
    public String address() {
        return uris().stream().map(RedisSettings::address).collect(Collectors.joining(","));
    }

    boolean isEncrypted() {
        return uris().stream().anyMatch(RedisURI::isSsl);
    }

    static String address(RedisURI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }

    private static List<RedisURI> parse(String url, Duration commandTimeout) {
        List<RedisURI> uris = new ArrayList<>();
        String prefix = "";
        for (String part : url.split(",", -1)) {
            String each = part.strip();
            if (uris.isEmpty()) {
                int password = each.lastIndexOf('@');
                int scheme = each.indexOf("://");
                prefix = each.substring(0, password >= 0 ? password + 1 : scheme >= 0 ? scheme + 3 : 0);
            }
            RedisURI uri = parseOne(each.contains("://") ? each : prefix + each);
            uri.setTimeout(commandTimeout);
            uris.add(uri);
        }
        return uris;
    }

    private static RedisURI parseOne(String text) {
        if (!FORMAT.matcher(text).matches()) {
            throw malformed();
        }
        try {
            return RedisURI.create(text);
        } catch (IllegalArgumentException e) {
            // Not the cause of the new exception, because its message contains the password.
            throw malformed();
        }
    }

    private static StartupException malformed() {
        return new StartupException(
                "heddle.redis.url is not a Redis URL: write redis://[[user]:password@]host[:port], rediss:// for TLS, and more nodes"
                        + " of a Redis Cluster after commas",
                null);
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return "RedisSettings[" + address() + ", trustStore=" + trustStore + ", connectTimeout=" + connectTimeout
                + ", commandTimeout=" + commandTimeout + "]";
    }
}

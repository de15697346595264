package io.heddle.persistence.redis;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import io.heddle.persistence.SettingRule;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What faults of Redis mean: for the person who set it up, when it is at start, and whether a retry is of use. */
final class RedisFaults {
    /**
     * Parts of answers that say that stored values do not fit the command, so that a retry has the same answer: errors of Redis commands,
     * of our scripts, and of Lua itself in a script that reads a damaged value.
     */
    private static final List<String> PERMANENT = List.of(
            "WRONGTYPE ",
            ", and this broker knows version ",
            "bad argument #",
            "data string too short",
            "attempt to compare ",
            "attempt to index ",
            "attempt to perform arithmetic ",
            "attempt to concatenate ",
            "attempt to get length ",
            "attempt to call ",
            "no such key",
            "index out of range",
            "value is not an integer or out of range");

    private final RedisSettings settings;

    RedisFaults(RedisSettings settings) {
        this.settings = settings;
    }

    /** Connecting to a server, or asking it about itself, failed. */
    StartupException connecting(String address, Throwable fault) {
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException answer) {
                return new StartupException(refused(address, String.valueOf(answer.getMessage())), fault);
            }
        }
        String reason = FaultReason.isCausedBy(fault, RedisCommandTimeoutException.class)
                ? "no answer within " + SettingRule.seconds(settings.commandTimeout())
                : FaultReason.of(fault);
        if (settings.isEncrypted() && !isNobodyThere(fault)) {
            return new StartupException(
                    "Redis at " + address + " does not speak TLS with Heddle (" + reason
                            + "): write redis:// instead of rediss:// in heddle.redis.url if it does not speak TLS at all, or"
                            + " switch TLS on there, with a certificate that Java trusts",
                    fault);
        }
        return new StartupException(
                "Redis does not answer at " + address + " (" + reason
                        + "): start it, or set heddle.redis.url to where it is",
                fault);
    }

    /**
     * Whether the answer of Redis to a script would be the same the next time, because of what is stored. All other answers pass, or a
     * person must mend their cause: a server that is full, loading or busy, a cluster that moves a slot. Redis 6 puts an error of a command
     * behind words of its own; later versions begin with it.
     */
    static boolean isPermanent(String answer) {
        for (String part : PERMANENT) {
            if (answer.contains(part)) {
                return true;
            }
        }
        return false;
    }

    /** Before TLS could begin. */
    private static boolean isNobodyThere(Throwable fault) {
        return FaultReason.isCausedBy(fault, ConnectException.class)
                || FaultReason.isCausedBy(fault, ConnectTimeoutException.class)
                || FaultReason.isCausedBy(fault, UnknownHostException.class)
                || FaultReason.isCausedBy(fault, NoRouteToHostException.class);
    }

    private static String refused(String address, String answer) {
        int space = answer.indexOf(' ');
        // The first word of an error is its code; the rest is for people and differs between versions.
        return switch (space < 0 ? answer : answer.substring(0, space)) {
            case "NOAUTH" ->
                "Redis at " + address + " wants a password: give it in heddle.redis.url as redis://:password@host:port";
            case "WRONGPASS" ->
                "Redis at " + address
                        + " refuses the password: correct it in heddle.redis.url (redis://[user]:password@host:port)";
            case "NOPERM" ->
                "Redis at " + address + " does not let this user do what Heddle needs (" + answer
                        + "): grant it with ACL SETUSER, or name another user in heddle.redis.url";
            case "LOADING" -> "Redis at " + address + " is still loading its data: start Heddle again in a moment";
            default ->
                "Redis at " + address + " refuses to work with Heddle (" + answer
                        + "): correct heddle.redis.url, or the server's settings";
        };
    }

    /** Several servers that are not a cluster. */
    StartupException notCluster(String address) {
        return new StartupException(
                "heddle.redis.url names several servers (" + settings.address() + "), but the one at " + address
                        + " is not part of a Redis Cluster: name just the one to use",
                null);
    }

    /** A Redis with data, and a PostgreSQL that has just been made. */
    StartupException withoutDatabase(String found, String database) {
        return new StartupException(
                "PostgreSQL at " + database + " is empty, but Redis at " + settings.address()
                        + " holds the data of Heddle cluster " + found
                        + ": restore the database (./heddle keeps it in the folder postgresql of its --data-dir), or start with"
                        + " an empty Redis and Kafka too",
                null);
    }

    /** A Redis with another cluster's data. */
    StartupException foreign(String found, String expected) {
        return new StartupException(
                "Redis at " + settings.address() + " belongs to another Heddle cluster (id " + found + ", expected "
                        + expected + "): set heddle.redis.url to this cluster's Redis, or empty it",
                null);
    }
}

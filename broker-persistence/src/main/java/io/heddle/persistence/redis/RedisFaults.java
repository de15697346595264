package io.heddle.persistence.redis;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.FaultReason;
import io.heddle.persistence.SettingRule;
import io.heddle.persistence.record.UnreadableRecordException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns faults of Redis at start into messages for the operator, and decides which answers a retry cannot change. */
final class RedisFaults {
    /**
     * Parts of answers to commands that a stored value does not fit, so that a retry gets the same answer: errors of Redis commands, of our
     * scripts, and of Lua itself when a script reads a damaged value.
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

    /** Describes a failed connection or INFO command. */
    StartupException connecting(String address, Throwable fault) {
        for (@Nullable Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException answer) {
                return new StartupException(rejected(address, String.valueOf(answer.getMessage())), fault);
            }
        }
        String reason = FaultReason.isCausedBy(fault, RedisCommandTimeoutException.class)
                ? "no answer within " + SettingRule.seconds(settings.commandTimeout())
                : FaultReason.of(fault);
        if (settings.isEncrypted() && !isUnreachable(fault)) {
            return new StartupException(
                    "Redis at " + address + " does not speak TLS with Heddle (" + reason
                            + "): write redis:// instead of rediss:// in heddle.redis.url if the server does not use TLS, or enable"
                            + " TLS in the server with a certificate for this name "
                            + (settings.trustStore() == null
                                    ? "that Java trusts; heddle.redis.trust-store names other authorities"
                                    : "of an authority in heddle.redis.trust-store"),
                    fault);
        }
        return new StartupException(
                "Redis does not answer at " + address + " (" + reason + "): start it, or correct heddle.redis.url",
                fault);
    }

    /**
     * Returns whether Redis would answer a retry of the script with the same error because of a stored value. Other errors are transient or
     * need an operator: a server that is full, loading or busy, or a cluster that moves a slot. Redis 6 puts its own words before the error
     * of a command; later versions begin with it.
     */
    static boolean isPermanent(String answer) {
        for (String part : PERMANENT) {
            if (answer.contains(part)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the connection failed before the TLS handshake. */
    private static boolean isUnreachable(Throwable fault) {
        return FaultReason.isCausedBy(fault, ConnectException.class)
                || FaultReason.isCausedBy(fault, ConnectTimeoutException.class)
                || FaultReason.isCausedBy(fault, UnknownHostException.class)
                || FaultReason.isCausedBy(fault, NoRouteToHostException.class);
    }

    private static String rejected(String address, String answer) {
        int space = answer.indexOf(' ');
        // The first word of an error is its code; the text behind it differs between versions.
        return switch (space < 0 ? answer : answer.substring(0, space)) {
            case "NOAUTH" ->
                "Redis at " + address
                        + " requires a password: add it to heddle.redis.url as redis://:password@host:port";
            case "WRONGPASS" ->
                "Redis at " + address
                        + " rejects the password: correct it in heddle.redis.url (redis://[user]:password@host:port)";
            case "NOPERM" ->
                "Redis at " + address + " does not authorize this user for the commands that Heddle needs (" + answer
                        + "): grant them with ACL SETUSER, or set another user in heddle.redis.url";
            case "LOADING" -> "Redis at " + address + " is still loading its data: start Heddle again in a moment";
            default ->
                "Redis at " + address + " rejects Heddle's commands (" + answer
                        + "): correct heddle.redis.url, or the server's settings";
        };
    }

    /** Describes several servers of which one is not part of a cluster. */
    StartupException notCluster(String address) {
        return new StartupException(
                "heddle.redis.url names several servers (" + settings.address() + "), but the one at " + address
                        + " is not part of a Redis Cluster: name only one server",
                null);
    }

    /** Describes a Redis with data next to an empty PostgreSQL. */
    StartupException withoutDatabase(String found, String database) {
        return new StartupException(
                "PostgreSQL at " + database + " is empty, but Redis at " + settings.address()
                        + " holds the data of Heddle cluster " + found
                        + ": restore the database (./heddle stores it in the folder postgresql of its --data-dir), or empty Redis"
                        + " and Kafka too",
                null);
    }

    /** Describes a Redis with values that another build of Heddle has stored. */
    StartupException otherFormat(String found, String known) {
        return new StartupException(
                "Redis at " + settings.address() + " has data of format " + found
                        + ", and this build of Heddle reads only format " + known + ": "
                        + UnreadableRecordException.OTHER_BUILD,
                null);
    }

    /** Describes a Redis with the data of another cluster. */
    StartupException foreign(String found, String expected) {
        return new StartupException(
                "Redis at " + settings.address() + " belongs to another Heddle cluster (id " + found + ", expected "
                        + expected + "): set heddle.redis.url to this cluster's Redis, or empty it",
                null);
    }
}

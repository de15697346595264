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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What faults of Redis mean: for the person who set it up, when it is at start, and whether a retry is of use. */
final class RedisFaults {
    /** Codes of errors that pass, or that a person must mend: the command is not to blame. */
    private static final Set<String> PASSING = Set.of(
            "ASK",
            "BUSY",
            "BUSYKEY",
            "CLUSTERDOWN",
            "CROSSSLOT",
            "EXECABORT",
            "LOADING",
            "MASTERDOWN",
            "MISCONF",
            "MOVED",
            "NOAUTH",
            "NOPERM",
            "NOREPLICAS",
            "NOSCRIPT",
            "OOM",
            "READONLY",
            "TRYAGAIN",
            "UNBLOCKED",
            "UNKILLABLE",
            "WRONGPASS");

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
     * Whether the answer of Redis to a script would be the same the next time. A script's own error, and one of a command in it, begin
     * with ERR in Redis 6, with the code of the command behind a dash; later ones begin with that code.
     */
    static boolean isPermanent(String answer) {
        for (String word : answer.split(" ", -1)) {
            if (PASSING.contains(word.startsWith("-") ? word.substring(1) : word)) {
                return false;
            }
        }
        return true;
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

package io.heddle.app.admin.client;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Ends the sessions of many clients that are away. */
final class ManySessions {
    private static final Pattern DURATION = Pattern.compile("[0-9]{1,6}[smhd]");

    @Option(
            names = "--away-for",
            paramLabel = "DURATION",
            description = "with --pattern: only clients that are away for at least this time, such as 12h or 7d")
    private @Nullable String awayFor;

    @Option(names = "--user", paramLabel = "NAME", description = "with --pattern: only sessions of this user")
    private @Nullable String userName;

    @Option(names = "--dry-run", description = "with --pattern: prints how many sessions would end, and ends none")
    private boolean isDryRun;

    @Option(names = "--yes", description = "with --pattern: ends the sessions; without it, they are only counted")
    private boolean isConfirmed;

    /** Throws StartupException if an option is given that a single session does not have. */
    void requireAbsent() {
        if (awayFor != null || userName != null || isDryRun || isConfirmed) {
            throw new StartupException(
                    "--away-for, --user, --dry-run and --yes belong to --pattern: leave them out, or replace the client id"
                            + " by --pattern",
                    null);
        }
    }

    /**
     * Ends or counts the sessions.
     *
     * @return the exit status
     */
    int end(NodeClient node, String pattern, Instant now) {
        ApiPath path = ApiPath.of("sessions")
                .with("clientId", pattern)
                .with("userName", userName)
                .with("awayBefore", awayFor == null ? null : awaySince(awayFor, now));
        if (!isDryRun && isConfirmed) {
            return end(node, path);
        }
        JsonNode counted = node.delete(path.with("dryRun", true)).json();
        Console.print("Sessions of clients that are away and match: "
                + (counted.path("complete").asBoolean(true) ? "" : "at least ")
                + counted.path("sessions").asLong(0));
        if (isDryRun) {
            return 0;
        }
        Console.printError("No session was ended: add --yes to end them");
        return 1;
    }

    private static Instant awaySince(String duration, Instant now) {
        if (!DURATION.matcher(duration).matches()) {
            throw new StartupException(
                    "--away-for is " + ControlCharacters.escaped(duration) + ": use a duration such as 30m, 12h or 7d",
                    null);
        }
        return now.minus(DurationStyle.SIMPLE.parse(duration));
    }

    /** Repeats the request while it ends sessions. */
    private static int end(NodeClient node, ApiPath path) {
        long ended = 0;
        long connected = 0;
        List<String> unknown = new ArrayList<>();
        boolean isComplete = false;
        long latest = 1;
        while (!isComplete && unknown.isEmpty() && latest > 0) {
            JsonNode answer = node.delete(path).json();
            latest = answer.path("sessions").asLong(0);
            ended += latest;
            connected += answer.path("connected").size();
            isComplete = answer.path("complete").asBoolean(true);
            answer.path("unknown").forEach(each -> unknown.add(each.asString("")));
        }
        Console.print("Sessions ended: " + ended);
        if (connected > 0) {
            Console.print("Sessions that go on because their clients have connected meanwhile: " + connected);
        }
        if (isComplete) {
            return 0;
        }
        Console.printError(
                unknown.isEmpty()
                        ? "Further sessions match: repeat the command"
                        : "These sessions may or may not have ended; repeat the command: "
                                + ControlCharacters.escaped(String.join(", ", unknown)));
        return 1;
    }
}

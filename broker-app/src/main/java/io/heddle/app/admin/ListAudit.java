package io.heddle.app.admin;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the changes that administrators made. */
@Command(
        name = "audit",
        description =
                "Lists the changes that administrators made on all nodes, the newest first. --json also has the objects"
                        + " before and after each change.",
        mixinStandardHelpOptions = true)
final class ListAudit implements Runnable {
    private static final List<Column> ENTRIES = List.of(
            Column.of("TIME", "time"),
            Column.of("ADMINISTRATOR", "administrator"),
            Column.of("ADDRESS", "address"),
            Column.of("ACTION", "action"),
            Column.of("TARGET", "target"),
            Column.lower("OUTCOME", "outcome"),
            Column.of("DETAIL", "detail"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @Option(
            names = "--administrator",
            paramLabel = "NAME",
            description = "only changes of this administrator, or of an API key as key:NAME")
    private @Nullable String administrator;

    @Option(
            names = "--action",
            paramLabel = "ACTION",
            description = "only changes of this kind, such as remove_credentials")
    private @Nullable String action;

    @Option(names = "--target", paramLabel = "TEXT", description = "only changes of this object")
    private @Nullable String target;

    @Option(
            names = "--outcome",
            paramLabel = "OUTCOME",
            description = "only changes that were attempted, done or failed, or whose outcome is unknown")
    private @Nullable String outcome;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "only changes at this time or later, such as 2026-11-01T10:00:00Z")
    private @Nullable String from;

    @Option(names = "--until", paramLabel = "TIME", description = "only changes before this time")
    private @Nullable String until;

    @Option(names = "--ascending", description = "the oldest first")
    private boolean isAscending;

    @Override
    public void run() {
        list.print(
                request,
                ApiPath.of("audit")
                        .with("administrator", administrator)
                        .with("action", action)
                        .with("target", target)
                        .with("outcome", outcome)
                        .with("from", from)
                        .with("until", until)
                        .with("sort", isAscending ? "time" : null),
                ENTRIES);
    }
}

package io.heddle.app.admin.access;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.Table;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The answer about proposed rules, for people: a line for the subscriptions and one for the decisions, and a table of each that would change. */
final class DryRunReport {
    private static final Column CLIENT = Column.of("CLIENT", "clientId");
    private static final Column USER = Column.of("USER", "userName");
    private static final List<Column> LOSSES =
            List.of(Column.of("SUBSCRIPTION", "topicFilter"), CLIENT, USER, Column.of("NODE", "node"));
    private static final List<Column> CHANGES = List.of(
            Column.lower("DECISION", "decision"),
            Column.lower("PROPOSED", "proposed"),
            Column.lower("ACTION", "action"),
            Column.of("TOPIC", "topic"),
            Column.of("QOS", "qos"),
            Column.of("RETAIN", "retain"),
            CLIENT,
            USER,
            Column.of("SAMPLED", "sampled"),
            Column.of("LAST", "lastAt"),
            new Column("NODES", change -> names(change.path("nodes"))));

    private DryRunReport() {}

    /** Returns the lines without a line break at the end. */
    static String of(JsonNode run) {
        StringBuilder text = new StringBuilder("Subscriptions: %s of %s would be denied, of %s of %s connected clients"
                .formatted(
                        number(run, "lostSubscriptions"),
                        number(run, "subscriptions"),
                        number(run, "losingClients"),
                        number(run, "clients")));
        JsonNode decisions = run.path("decisions");
        text.append("\nDecisions: %s of %s sampled ones would deny instead of allow, %s would allow instead of deny"
                .formatted(
                        number(decisions, "wouldDeny"), number(decisions, "sampled"), number(decisions, "wouldAllow")));
        text.append("\nSample: ").append(number(decisions, "distinct")).append(" different decisions");
        String since = decisions.path("since").asString("");
        text.append(since.isEmpty() ? "" : " since " + ControlCharacters.escaped(since));
        text.append(" of the nodes ")
                .append(ControlCharacters.escaped(names(decisions.path("nodes"))))
                .append("; of each client the first ones in ten seconds, then fewer");
        if (!run.path("notRehearsed").isEmpty()) {
            text.append("\nNot tried: lines that begin with ")
                    .append(ControlCharacters.escaped(names(run.path("notRehearsed"))));
        }
        if (!run.path("missingNodes").isEmpty()) {
            text.append("\nWithout an answer: ").append(ControlCharacters.escaped(names(run.path("missingNodes"))));
        }
        add(text, LOSSES, run.path("losses"));
        add(text, CHANGES, decisions.path("changes"));
        return text.toString();
    }

    /** Returns whether the rules would deny nothing that was allowed, as far as all nodes know. */
    static boolean isHarmless(JsonNode run) {
        return run.path("lostSubscriptions").asLong(0) == 0
                && run.path("decisions").path("wouldDeny").asLong(0) == 0
                && run.path("missingNodes").isEmpty();
    }

    private static void add(StringBuilder text, List<Column> columns, JsonNode rows) {
        if (!rows.isEmpty()) {
            text.append("\n\n").append(Table.of(columns, rows));
        }
    }

    private static long number(JsonNode object, String name) {
        return object.path(name).asLong(0);
    }

    private static String names(JsonNode nodes) {
        return String.join(
                ", ", nodes.valueStream().map(each -> each.asString("")).toList());
    }
}

package io.heddle.app.admin.access;

import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.Answer;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.Body;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Shows and replaces the rules for topics, and explains their decisions. */
@Command(name = "rules", description = "Shows and replaces the rules for topics, and explains their decisions.")
public final class RuleCommands {
    private RuleCommands() {}

    @Command(name = "show", description = "Prints the rules, in the form that `set` reads.")
    void show(@Mixin NodeRequest request) {
        JsonNode rules = request.get(ApiPath.of("rules")).json();
        String text = rules.path("text").asString("");
        Console.print(text.isEmpty() ? "# No rules are stored" : text.stripTrailing());
    }

    @Command(
            name = "set",
            description = "Replaces all rules by those of a file, on all nodes. Returns when the nodes apply them.")
    int set(
            @Mixin NodeRequest request,
            @Parameters(paramLabel = "FILE", description = "one rule in each line") Path file) {
        JsonNode changed = request.send("PUT", ApiPath.of("rules"), Body.empty().with("text", read(file)))
                .json();
        Console.print("Stored version " + changed.path("rules").path("version").asLong(0)
                + ", which these nodes apply: " + names(changed.path("applied")));
        List<String> missing = new ArrayList<>();
        for (JsonNode each : changed.path("missing")) {
            missing.add(ControlCharacters.escaped(each.path("nodeId").asString("-")) + " ("
                    + ControlCharacters.escaped(each.path("reason").asString("-")) + ")");
        }
        if (!missing.isEmpty()) {
            Console.printError("These nodes do not apply the rules yet, but when they read the log of nodes: "
                    + String.join(", ", missing));
        }
        return missing.isEmpty() ? 0 : 1;
    }

    @Command(
            name = "dry-run",
            description =
                    "Tells which subscriptions of connected clients the rules of a file would deny, and which decisions of the last"
                            + " minutes they would change. Changes nothing. Exit status 1 if they would deny anything that was"
                            + " allowed, or if a node has not answered.")
    int dryRun(
            @Mixin OutputOptions output,
            @Parameters(paramLabel = "FILE", description = "one rule in each line") Path file) {
        Body body = Body.empty().with("text", read(file));
        Answer answer = output.print(node -> node.post(ApiPath.of("rules/dry-run"), body), DryRunReport::of);
        return DryRunReport.isHarmless(answer.json()) ? 0 : 1;
    }

    @Command(
            name = "test",
            description =
                    "Explains how the rules decide about a request of a client. Exit status 0 if it is allowed, 1 if"
                            + " not.")
    int test(
            @Mixin OutputOptions output,
            @Mixin Subject subject,
            @Parameters(paramLabel = "ACTION", description = "publish or subscribe") String action,
            @Parameters(paramLabel = "TOPIC", description = "topic, or topic filter") String topic,
            @Option(
                            names = {"-q", "--qos"},
                            paramLabel = "QOS",
                            description = "0, 1 or 2; default: 0",
                            defaultValue = "0")
                    int qos,
            @Option(
                            names = {"-r", "--retain"},
                            description = "the message has the RETAIN flag")
                    boolean retain,
            @Option(
                            names = "--rules",
                            paramLabel = "FILE",
                            description = "rules to try out; default: the rules in force")
                    @Nullable
                    Path rules) {
        Body body = subject.add(Body.empty())
                .withUpper("action", action)
                .with("topic", topic)
                .with("qos", qos)
                .with("retain", retain)
                .with("rules", rules == null ? null : read(rules));
        Answer answer = output.print(node -> node.post(ApiPath.of("rules/test"), body));
        return answer.json().path("decision").asString("").equals("DENIED") ? 1 : 0;
    }

    /** The client that a request would come from. */
    static final class Subject {
        @Option(names = "--client-id", paramLabel = "ID", description = "its client id", required = true)
        private String clientId = "";

        @Option(names = "--user", paramLabel = "NAME", description = "its authenticated user name")
        private @Nullable String userName;

        @Option(names = "--group", paramLabel = "NAME", description = "one of its groups; may be repeated")
        private @Nullable List<String> groups;

        @Option(
                names = "--attribute",
                paramLabel = "NAME=VALUE",
                description = "one of its attributes; may be repeated")
        private @Nullable List<String> attributes;

        @Option(names = "--address", paramLabel = "ADDRESS", description = "its IP address; default: 127.0.0.1")
        private @Nullable String address;

        Body add(Body body) {
            return body.with("clientId", clientId)
                    .with("userName", userName)
                    .with("groups", groups)
                    .with("attributes", attributes)
                    .with("address", address);
        }
    }

    private static String names(JsonNode nodes) {
        List<String> names = new ArrayList<>();
        nodes.forEach(each -> names.add(ControlCharacters.escaped(each.asString(""))));
        return names.isEmpty() ? "none" : String.join(", ", names);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new StartupException(
                    ControlCharacters.escaped(file.toString()) + " cannot be read as text: name a readable file", e);
        }
    }
}

package io.heddle.app.admin.output;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Options of commands that print a list: those of the node, and of the list. Requests its parts. */
public final class ListOptions extends NodeRequest {
    private static final int LARGEST_PART = 1_000;
    private static final int LARGEST_LIMIT = 1_000_000;

    @Option(names = "--json", description = "print the list as one JSON document, as the REST API returns it")
    private boolean json;

    @Option(
            names = "--limit",
            paramLabel = "NUMBER",
            description = "how many entries to print at most, up to " + LARGEST_LIMIT + " (default: ${DEFAULT-VALUE})",
            defaultValue = "1000")
    private int limit;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    /** Requests the parts of a list until the limit, prints them, and says on standard error what is missing. */
    public void print(ApiPath list, List<Column> columns) {
        print(list, columns, "There are no such entries");
    }

    /** As the others, for a list whose parts have at most so many entries. */
    public void print(ApiPath list, List<Column> columns, int largestPart) {
        print(list, columns, largestPart, "");
    }

    /** @param note the path of a sentence that the list has besides its entries, printed below them */
    public void print(ApiPath list, List<Column> columns, int largestPart, String note) {
        print(list, columns, "There are no such entries", largestPart, note);
    }

    /** @param ifEmpty printed on standard error if the list has no entries */
    public void print(ApiPath list, List<Column> columns, String ifEmpty) {
        print(list, columns, ifEmpty, LARGEST_PART, "");
    }

    private void print(ApiPath list, List<Column> columns, String ifEmpty, int largestPart, String note) {
        if (limit < 1 || limit > LARGEST_LIMIT) {
            throw new ParameterException(command.commandLine(), "--limit is " + limit + ": use 1 to " + LARGEST_LIMIT);
        }
        Fetched fetched;
        try (NodeClient node = connect()) {
            fetched = fetch(node, list, limit, largestPart);
        }
        if (!Console.printToReader(json ? fetched.json() : fetched.text(columns, note))) {
            return;
        }
        if (fetched.items().isEmpty() && fetched.missingNodes().isEmpty()) {
            Console.printError(ifEmpty);
        }
        if (fetched.next() != null) {
            Console.printError("There may be more entries: --limit is " + limit);
        }
        if (Boolean.FALSE.equals(fetched.complete())) {
            Console.printError("There are so many entries that the node has not examined all of them");
        }
        if (!fetched.missingNodes().isEmpty()) {
            Console.printError("Nodes that have not answered: "
                    + ControlCharacters.escaped(String.join(", ", fetched.missingNodes()))
                    + "; what they know is missing");
        }
    }

    /**
     * The parts of a list.
     *
     * @param first the first part, whose other members are those of the list
     * @param next the cursor of the following part; null at the end
     * @param isOfSeveralNodes whether several nodes were asked
     * @param complete whether all entries were examined; null if the list always examines all
     */
    record Fetched(
            JsonNode first,
            ArrayNode items,
            @Nullable String next,
            Set<String> missingNodes,
            boolean isOfSeveralNodes,
            @Nullable Boolean complete) {
        String text(List<Column> columns, String note) {
            String sentence = note.isEmpty() ? "" : Column.at(first, note).asString("");
            String table = Table.of(columns, items);
            return sentence.isEmpty() ? table : table + "\n\n" + ControlCharacters.escaped(sentence);
        }

        String json() {
            ObjectNode document = (ObjectNode) first.deepCopy();
            document.set("items", items);
            document.put("next", next);
            if (isOfSeveralNodes) {
                ArrayNode missing = document.putArray("missingNodes");
                missingNodes.forEach(missing::add);
            }
            if (complete != null) {
                document.put("complete", complete);
            }
            return document.toString();
        }
    }

    static Fetched fetch(NodeClient node, ApiPath list, int limit, int largestPart) {
        ArrayNode items = JsonMapper.shared().createArrayNode();
        Set<String> missing = new TreeSet<>();
        boolean isOfSeveralNodes = false;
        Boolean complete = null;
        String next = null;
        JsonNode first = null;
        do {
            JsonNode part = node.get(list.with("limit", Math.min(largestPart, limit - items.size()))
                            .with("after", next))
                    .json();
            first = first == null ? part : first;
            part.path("items").forEach(items::add);
            part.path("missingNodes").forEach(each -> missing.add(each.asString("")));
            isOfSeveralNodes |= part.path("missingNodes").isArray();
            JsonNode examined = part.path("complete");
            complete = examined.isBoolean()
                    ? Boolean.valueOf(examined.asBoolean() && !Boolean.FALSE.equals(complete))
                    : complete;
            String after = part.path("next").asString("");
            next = after.isEmpty() ? null : after;
        } while (next != null && items.size() < limit);
        return new Fetched(first, items, next, missing, isOfSeveralNodes, complete);
    }
}

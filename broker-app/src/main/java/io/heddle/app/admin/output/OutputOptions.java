package io.heddle.app.admin.output;

import io.heddle.app.admin.request.Answer;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import java.util.function.Function;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Options of commands that print an answer: those of the node, and the choice between output for people and for programs. */
public final class OutputOptions extends NodeRequest {
    @Option(names = "--json", description = "print the answer of the REST API")
    private boolean json;

    /** Makes a request, and prints the object that it returns. */
    public Answer print(Function<NodeRequest, Answer> asked) {
        return print(asked, Details::of);
    }

    public Answer print(Function<NodeRequest, Answer> asked, Function<JsonNode, String> forPeople) {
        Answer answer = asked.apply(this);
        boolean _ = Console.printToReader(json ? answer.text() : forPeople.apply(answer.json()));
        return answer;
    }
}

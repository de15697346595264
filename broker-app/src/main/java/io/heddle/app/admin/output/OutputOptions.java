package io.heddle.app.admin.output;

import io.heddle.app.admin.request.Answer;
import io.heddle.app.console.Console;
import java.util.function.Function;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** The choice between output for people and for programs. */
public final class OutputOptions {
    @Option(names = "--json", description = "print the answer of the REST API")
    private boolean json;

    /** Prints an object. */
    public void print(Answer answer) {
        print(answer, Details::of);
    }

    /** Prints an answer. */
    public void print(Answer answer, Function<JsonNode, String> forPeople) {
        boolean _ = Console.printToReader(json ? answer.text() : forPeople.apply(answer.json()));
    }
}

package io.heddle.perf.load.command;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A finished call of the generator. */
record Invocation(int status, String out, String err) {
    /** Calls the generator in this JVM, with a broker on loopback and, unless the arguments override it, a short load. */
    static Invocation at(int port, String... arguments) {
        List<String> all = new ArrayList<>(Arrays.asList(arguments));
        all.addAll(
                1, List.of("--warm-up", "20ms", "--duration", "50ms", "--runs", "2", "--port", Integer.toString(port)));
        return of(all.toArray(String[]::new));
    }

    static Invocation of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = LoadGenerator.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new Invocation(status, out.toString(), err.toString());
    }

    /** A count in the report. */
    long total(String name) {
        Matcher line = Pattern.compile("^" + Pattern.quote(name) + " +([0-9,]+)$", Pattern.MULTILINE)
                .matcher(out);
        if (!line.find()) {
            throw new AssertionError("No " + name + " in " + this);
        }
        return Long.parseLong(line.group(1).replace(",", ""));
    }
}

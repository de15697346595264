package io.heddle.app.admin;

import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.app.console.Console;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** Lets a node use the certificates that are in its files now. */
@Command(
        name = "reload-certificates",
        description =
                "Lets the node that is asked read its certificates, keys and lists of revoked certificates again. New"
                        + " connections use them; open ones keep theirs. A node also notices changed files by itself,"
                        + " after some seconds.")
final class ReloadCertificates implements Runnable {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Override
    public void run() {
        Console.print(report(
                request.post(ApiPath.of("node/certificates/reload"), null).json()));
    }

    static String report(JsonNode answer) {
        List<String> lines = new ArrayList<>();
        for (JsonNode certificate : answer.path("items")) {
            List<String> names = new ArrayList<>();
            certificate.path("names").forEach(each -> names.add(escaped(each)));
            lines.add(escaped(certificate.path("listener")) + ": " + escaped(certificate.path("subject"))
                    + (names.isEmpty() ? "" : " (" + String.join(", ", names) + ")") + ", expires "
                    + escaped(certificate.path("expires")));
        }
        return lines.isEmpty() ? "The node has no listener with TLS" : String.join("\n", lines);
    }

    private static String escaped(JsonNode text) {
        return ControlCharacters.escaped(text.asString("-"));
    }
}

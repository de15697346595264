package io.heddle.app.admin;

import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "node",
        description = "Shows the id, version, state, role, listeners and load of the node that is asked.")
final class ShowNode implements Runnable {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public void run() {
        output.print(node -> node.get(ApiPath.of("node")));
    }
}

package io.heddle.app.admin;

import io.heddle.app.admin.output.OutputOptions;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows the node that is asked. */
@Command(
        name = "node",
        description = "Shows the id, version, state, role, listeners and load of the node that is asked.",
        mixinStandardHelpOptions = true)
final class ShowNode implements Runnable {
    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Override
    public void run() {
        output.print(request.get(ApiPath.of("node")));
    }
}

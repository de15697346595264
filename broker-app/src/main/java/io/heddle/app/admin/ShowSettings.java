package io.heddle.app.admin;

import io.heddle.app.admin.output.Column;
import io.heddle.app.admin.output.ListOptions;
import io.heddle.app.admin.output.OrderOption;
import io.heddle.app.admin.request.ApiPath;
import io.heddle.app.admin.request.NodeRequest;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists the settings in effect. */
@Command(
        name = "settings",
        description =
                "Lists the settings in effect on the node that is asked, and where each was set. Passwords are masked.",
        mixinStandardHelpOptions = true)
final class ShowSettings implements Runnable {
    private static final List<Column> SETTINGS =
            List.of(Column.of("KEY", "key"), Column.of("VALUE", "value"), Column.of("ORIGIN", "origin"));

    @Mixin
    private final NodeRequest request = new NodeRequest();

    @Mixin
    private final ListOptions list = new ListOptions();

    @Mixin
    private final OrderOption order = new OrderOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "only keys that begin with this text, such as heddle.mqtt")
    private @Nullable String prefix;

    @Override
    public void run() {
        list.print(
                request,
                ApiPath.of("settings").with("keyPrefix", prefix).with("sort", order.ofDefault("key")),
                SETTINGS,
                prefix == null
                        ? "There are no settings"
                        : "No setting begins with " + ControlCharacters.escaped(prefix)
                                + ": leave it out to list all settings");
    }
}

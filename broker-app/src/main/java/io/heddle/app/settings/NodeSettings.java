package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * This node of the cluster.
 *
 * @param id name of the node, unique in the cluster and constant across restarts: up to 100 ASCII letters, digits, dots and dashes
 */
public record NodeSettings(@DefaultValue("node-1") String id) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9.-]{1,100}");

    public NodeSettings {
        if (!ID.matcher(id).matches()) {
            throw new StartupException(
                    "heddle.node.id is '"
                            + id.codePoints()
                                    .mapToObj(each -> Character.isISOControl(each) ? "?" : Character.toString(each))
                                    .collect(Collectors.joining())
                            + "': set it to a name of at most 100 letters, digits, dots and dashes, such as node-1",
                    null);
        }
    }
}

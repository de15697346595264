package io.heddle.app.settings;

import io.heddle.persistence.SettingRule;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * This node among those of its cluster.
 *
 * @param id its name, the same after each start and another for each node of a cluster: letters, digits, dots, dashes
 */
public record NodeSettings(@DefaultValue("node-1") String id) {
    public NodeSettings {
        SettingRule.notBlank("heddle.node.id", id, "node-1");
    }
}

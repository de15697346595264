package io.heddle.app.settings;

import io.heddle.core.authorization.Effect;
import io.heddle.core.authorization.RuleOptions;
import io.heddle.core.authorization.RuleSet;
import java.util.List;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authorization of clients.
 *
 * @param withoutRules what clients may do while no rules are stored: allow everything, or deny all publishes and subscriptions
 */
public record AuthorizationSettings(@DefaultValue("allow") Effect withoutRules) {
    /** Returns the rules until others are stored. */
    public RuleSet initial() {
        return new RuleSet(List.of(), RuleOptions.of(withoutRules));
    }
}

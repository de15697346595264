package io.heddle.app.settings;

import io.heddle.core.authorization.Rule;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authorization of clients.
 *
 * @param rulesFile file with the rules for topics, one in each line; if empty, clients may publish and subscribe to everything. It is read at the
 *     start. In a cluster, each node needs the same
 */
public record AuthorizationSettings(@DefaultValue("") String rulesFile) {
    private static final String RULES_FILE = "heddle.authorization.rules-file";

    /** @throws StartupException if the file cannot be read, or has an error */
    public RuleSet rules() {
        if (rulesFile.isEmpty()) {
            return RuleSet.NONE;
        }
        try {
            RuleSet rules = RuleSet.read(Files.readAllLines(Path.of(rulesFile)));
            rules.rules().forEach(AuthorizationSettings::requireKnownProperties);
            return rules;
        } catch (RuleSyntaxException wrong) {
            throw new StartupException(RULES_FILE + ": " + wrong.getMessage(), wrong);
        } catch (IOException | IllegalArgumentException unreadable) {
            throw new StartupException(
                    RULES_FILE + " names a file that cannot be read as text: check its name and permissions",
                    unreadable);
        }
    }

    /** A rule that never applies would be an error that nobody notices. */
    private static void requireKnownProperties(Rule rule) {
        if (rule.needsAttributes()) {
            throw new StartupException(
                    RULES_FILE + " has the rule '" + rule
                            + "', but no method of authentication supplies groups, attributes or ${cn}: use client ids,"
                            + " user names and addresses",
                    null);
        }
    }
}

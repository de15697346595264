package io.heddle.app.authentication;

import io.heddle.core.authentication.Authentication.Chain;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of authentication of each listener: those that the rules in force name, or else those of the settings. Methods that only the rules
 * name are left out, because this node has no settings for them. Thread-safe.
 */
public final class MethodChains implements Function<String, Chain> {
    private static final Logger log = LoggerFactory.getLogger(MethodChains.class);

    private final ActiveRules active;
    private final Function<String, List<MethodName>> configured;
    private final Map<String, MethodName> known;
    private final Function<List<MethodName>, Chain> create;
    private volatile OfRules current;

    /** The chains under one set of rules. */
    private record OfRules(RuleSet rules, Map<String, Chain> byListener) {
        OfRules(RuleSet rules) {
            this(rules, new ConcurrentHashMap<>());
        }
    }

    /**
     * Creates no chain yet.
     *
     * @param configured returns the methods of a listener by the settings
     * @param known the methods of this node by their names
     * @param create returns the chain of methods
     */
    public MethodChains(
            ActiveRules active,
            Function<String, List<MethodName>> configured,
            Map<String, MethodName> known,
            Function<List<MethodName>, Chain> create) {
        this.active = active;
        this.configured = configured;
        this.known = Map.copyOf(known);
        this.create = create;
        this.current = new OfRules(active.current());
    }

    /** Returns the methods of a listener for a client that connects now. */
    @Override
    public Chain apply(String listener) {
        RuleSet rules = active.current();
        OfRules present = current;
        if (present.rules() != rules) {
            present = new OfRules(rules);
            current = present;
        }
        return present.byListener().computeIfAbsent(listener, name -> chain(rules, name));
    }

    private Chain chain(RuleSet rules, String listener) {
        @Nullable List<String> named = rules.methods(listener);
        if (named == null) {
            return create.apply(configured.apply(listener));
        }
        List<MethodName> methods = new ArrayList<>();
        for (String each : named) {
            MethodName method = known.get(each);
            if (method == null) {
                log.error(
                        "The rules name a method of authentication that heddle.authentication.methods of this node does"
                                + " not have, so it is left out: method={}, listener={}",
                        each,
                        listener);
            } else {
                methods.add(method);
            }
        }
        return create.apply(methods);
    }
}

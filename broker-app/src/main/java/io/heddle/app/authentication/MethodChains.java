package io.heddle.app.authentication;

import io.heddle.core.authentication.Authentication.Chain;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.mqtt.ReasonCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The methods of authentication of each listener, from the first of these that has any: the line of the rules for the listener, its own
 * settings, the line of the rules for all listeners, the settings of the node. If the rules name a method that the settings of this node do not
 * have, the clients that no method before it decides about are refused. Thread-safe.
 */
public final class MethodChains implements Function<String, Chain> {
    private static final Logger log = LoggerFactory.getLogger(MethodChains.class);
    private static final Refused MISSING = new Refused(
            ReasonCode.SERVER_UNAVAILABLE, "the rules name a method of authentication that this node does not have");

    private final ActiveRules active;
    private final Map<String, List<MethodName>> ofListeners;
    private final List<MethodName> ofNode;
    private final BiFunction<List<MethodName>, @Nullable Authenticator, Chain> create;
    private volatile OfRules current;

    private record OfRules(RuleSet rules, Map<String, Chain> byListener) {
        OfRules(RuleSet rules) {
            this(rules, new ConcurrentHashMap<>());
        }
    }

    /**
     * Creates no chain yet.
     *
     * @param ofListeners the methods of listeners that have some of their own by the settings, by the name of the listener
     * @param ofNode all methods of this node
     * @param create returns the chain of methods, and of an authenticator that decides if none of them does; null for anonymous access
     */
    public MethodChains(
            ActiveRules active,
            Map<String, List<MethodName>> ofListeners,
            List<MethodName> ofNode,
            BiFunction<List<MethodName>, @Nullable Authenticator, Chain> create) {
        this.active = active;
        this.ofListeners = Map.copyOf(ofListeners);
        this.ofNode = List.copyOf(ofNode);
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
        List<MethodName> own = ofListeners.get(listener);
        List<String> named = rules.methods(listener);
        if (named == null && own == null) {
            named = rules.methods("");
        }
        return named == null ? create.apply(own == null ? ofNode : own, null) : named(named, listener);
    }

    private Chain named(List<String> names, String listener) {
        List<MethodName> methods = new ArrayList<>();
        for (String each : names) {
            MethodName method = ofNode.stream()
                    .filter(known -> known.text().equals(each))
                    .findFirst()
                    .orElse(null);
            if (method == null) {
                log.error(
                        "The rules name a method of authentication that this node does not have, so it refuses clients: add it"
                                + " to heddle.authentication.methods, or change the rules: method={}, listener={}",
                        each,
                        listener);
                return create.apply(methods, _ -> MISSING);
            }
            methods.add(method);
        }
        return create.apply(methods, null);
    }
}

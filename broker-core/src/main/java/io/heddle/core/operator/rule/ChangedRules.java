package io.heddle.core.operator.rule;

import io.heddle.core.authorization.StoredRules;
import java.util.List;
import java.util.SortedMap;

/**
 * The result of a change of the rules.
 *
 * @param applied the ids of the nodes that apply the rules to everything that lives on them
 * @param missing the reasons why the other nodes may not yet, by node id
 */
public record ChangedRules(StoredRules rules, List<String> applied, SortedMap<String, String> missing) {}

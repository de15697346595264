package io.heddle.api.rules;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.StoredRules;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.rule.ChangedRules;
import io.heddle.core.operator.rule.RuleAdministration;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Shows the rules for topics, replaces them on all nodes, explains decisions, and tells what others would change. */
@RestController
public final class RulesController {
    private final Node node;
    private final Audit audit;
    private final EntityTags tags;

    public RulesController(Node node, Audit audit, EntityTags tags) {
        this.node = node;
        this.audit = audit;
        this.tags = tags;
    }

    @GetMapping("/api/v1/rules")
    ResponseEntity<RulesResponse> get() {
        return tags.ok(RulesResponse.of(node.rules().find()));
    }

    /** Replaces all rules, and answers when all nodes that can be reached apply them; 412 or 409 if another change came first. */
    @PutMapping("/api/v1/rules")
    ResponseEntity<ChangedRulesResponse> replace(@RequestBody RulesBody body, HttpServletRequest request) {
        FieldProblems problems = new FieldProblems();
        String text = body.text() == null ? "" : body.text();
        parse(text, "text", problems);
        problems.throwIfAny();
        RuleAdministration administration = node.rules();
        RulesResponse before = RulesResponse.of(administration.find());
        tags.requireMatch(request, before, "");
        Principal administrator = request.getUserPrincipal();
        ChangedRulesResponse changed = audit.change(request, AuditAction.CHANGE_RULES, "rules", before, () -> {
            ChangedRules done = replace(
                    administration, before.version(), text, administrator == null ? "" : administrator.getName());
            if (done == null) {
                throw RequestProblem.conflict(
                        "The rules were changed by someone else at the same time; read them again.");
            }
            return new Audited<>(ChangedRulesResponse.of(done), RulesResponse.of(done.rules()));
        });
        return ResponseEntity.ok().eTag(tags.of(changed.rules(), "")).body(changed);
    }

    private static @Nullable ChangedRules replace(
            RuleAdministration administration, long present, String text, String name) {
        try {
            return administration.replace(present, text, name);
        } catch (RuleSyntaxException wrong) {
            throw RequestProblem.invalid("text", String.valueOf(wrong.getMessage()));
        }
    }

    /** Tells how the rules in force, or others, decide about a request of a client. Changes nothing. */
    @PostMapping("/api/v1/rules/test")
    DecisionResponse test(@RequestBody DecisionRequest body) {
        return body.decide(node.rules().active().current());
    }

    /** Tells which subscriptions of connected clients the proposed rules would deny, and which latest decisions they would change. Changes nothing. */
    @PostMapping("/api/v1/rules/dry-run")
    DryRunResponse dryRun(@RequestBody RulesBody body) {
        try {
            String text = body.text() == null ? "" : body.text();
            return DryRunResponse.of(
                    node.rules().dryRun(text), RuleSet.read(text).notRehearsed());
        } catch (RuleSyntaxException wrong) {
            throw RequestProblem.invalid("text", String.valueOf(wrong.getMessage()));
        }
    }

    static @Nullable RuleSet parse(String text, String field, FieldProblems problems) {
        try {
            return RuleSet.read(text);
        } catch (RuleSyntaxException wrong) {
            problems.add(field, String.valueOf(wrong.getMessage()));
            return null;
        }
    }

    /** @param text one rule or option in each line */
    record RulesBody(@Nullable String text) {}

    /**
     * The stored rules.
     *
     * @param version 0 if none were ever stored
     * @param text one rule or option in each line
     */
    record RulesResponse(
            long version,
            String text,
            @Nullable String changedBy,
            @Nullable Instant changedAt) {
        static RulesResponse of(@Nullable StoredRules rules) {
            return rules == null
                    ? new RulesResponse(0, "", null, null)
                    : new RulesResponse(rules.version(), rules.text(), rules.changedBy(), rules.changedAt());
        }
    }

    /**
     * The result of a change.
     *
     * @param applied the ids of the nodes that apply the rules to everything that lives on them
     * @param missing the nodes that may not yet
     */
    record ChangedRulesResponse(RulesResponse rules, List<String> applied, List<MissingNode> missing) {
        /** @param reason why it has not answered */
        record MissingNode(String nodeId, String reason) {}

        static ChangedRulesResponse of(ChangedRules changed) {
            return new ChangedRulesResponse(
                    RulesResponse.of(changed.rules()),
                    changed.applied(),
                    changed.missing().entrySet().stream()
                            .map(each -> new MissingNode(each.getKey(), each.getValue()))
                            .toList());
        }
    }
}

package io.heddle.api.administrators;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ListRequest;
import io.heddle.api.page.ListRules;
import io.heddle.api.page.Page;
import io.heddle.api.problem.RequestProblem;
import io.heddle.core.administration.AccountQuery;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.ApiKey;
import io.heddle.core.administration.ApiKeyToken;
import io.heddle.core.administration.ApiKeys;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Lists, creates and removes API keys. Only an administrator with the role ADMIN may change something, and no key may send these requests. */
@RestController
public final class ApiKeyController {
    private static final ListRules RULES = ListRules.of(List.of("name", "-name"), "role");

    private final ApiKeys keys;
    private final Audit audit;
    private final SecureRandom random;

    public ApiKeyController(ApiKeys keys, Audit audit, SecureRandom random) {
        this.keys = keys;
        this.audit = audit;
        this.random = random;
    }

    @GetMapping("/api/v1/api-keys")
    Page<ApiKeyResponse> list(HttpServletRequest request) {
        ListRequest list = RULES.parse(request.getParameterMap());
        AccountQuery query = new AccountQuery(
                list.choice("role", AdminRole.class), list.sort().isDescending(), list.after(), list.limit() + 1);
        return Page.of(keys.list(query), list.limit(), ApiKeyResponse::of, key -> list.next(key.name()));
    }

    /** Creates a key and returns its token, once; 409 if the name is taken. */
    @PostMapping("/api/v1/api-keys")
    @ResponseStatus(HttpStatus.CREATED)
    CreatedApiKeyResponse create(@RequestBody NewApiKey body, Principal administrator, HttpServletRequest request) {
        ApiKeyToken token = ApiKeyToken.draw(Objects.requireNonNullElse(body.name(), ""), random);
        ApiKey key = body.toKey(token, administrator.getName(), Instant.now());
        ApiKeyResponse shown = ApiKeyResponse.of(key);
        return audit.change(request, AuditAction.CREATE_API_KEY, target(key.name()), null, () -> {
            if (!keys.create(key)) {
                throw RequestProblem.conflict("An API key with this name exists; it may have expired.");
            }
            return new Audited<>(new CreatedApiKeyResponse(shown, token.text()), shown);
        });
    }

    /** Removes a key, if it exists. */
    @DeleteMapping("/api/v1/api-keys/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(@PathVariable String name, HttpServletRequest request) {
        EntityTags.refuseCondition(request);
        ApiKey key = ApiKey.isName(name) ? keys.find(name) : null;
        if (key == null) {
            return;
        }
        audit.change(request, AuditAction.REMOVE_API_KEY, target(name), ApiKeyResponse.of(key), () -> {
            keys.remove(name);
            return Audited.nothing();
        });
    }

    private static String target(String name) {
        return "api-keys/" + name;
    }

    /**
     * JSON representation of an API key, without its secret.
     *
     * @param role ADMIN, OPERATOR or VIEWER
     * @param expiresAt null if the key does not expire
     */
    record ApiKeyResponse(
            String name, String role, @Nullable Instant expiresAt, String createdBy, Instant createdAt) {
        static ApiKeyResponse of(ApiKey key) {
            return new ApiKeyResponse(key.name(), key.role().name(), key.expiresAt(), key.createdBy(), key.createdAt());
        }
    }

    /**
     * The answer to the creation of an API key.
     *
     * @param token what requests send; no other answer has it
     */
    record CreatedApiKeyResponse(ApiKeyResponse key, String token) {
        /** Omits the token. */
        @Override
        public String toString() {
            return "CreatedApiKeyResponse[" + key + "]";
        }
    }
}

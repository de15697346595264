package io.heddle.api.administrators;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditAction;
import io.heddle.api.audit.Audited;
import io.heddle.api.problem.FieldProblems;
import io.heddle.api.problem.RequestProblem;
import io.heddle.api.security.PresentPassword;
import io.heddle.api.security.SessionCsrf;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the administrator who has signed in, and changes their own password. Every role may do both. */
@RestController
public final class AccountController {
    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final PresentPassword presentPassword;
    private final Audit audit;

    public AccountController(
            AdminUsers users, PasswordHash passwordHash, PresentPassword presentPassword, Audit audit) {
        this.users = users;
        this.passwordHash = passwordHash;
        this.presentPassword = presentPassword;
        this.audit = audit;
    }

    @GetMapping("/api/v1/account")
    ResponseEntity<AdministratorResponse> get(
            Principal account,
            @RequestAttribute(name = SessionCsrf.ATTRIBUTE, required = false) @Nullable String csrf) {
        ResponseEntity.BodyBuilder answer = ResponseEntity.ok();
        if (csrf != null) {
            answer.header(SessionCsrf.HEADER, csrf);
        }
        return answer.body(AdministratorResponse.of(find(account.getName())));
    }

    /** The next request needs the new password. All sessions end, also that of the request. */
    @PutMapping("/api/v1/account/password")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void changePassword(@RequestBody AccountPassword body, Principal account, HttpServletRequest request) {
        String userName = account.getName();
        FieldProblems problems = new FieldProblems();
        AdministratorController.checkPassword(userName, body.password(), problems);
        problems.throwIfAny();
        presentPassword.check(account, body.presentPassword(), "presentPassword", request);
        String password = Objects.requireNonNull(body.password());
        audit.change(
                request,
                AuditAction.CHANGE_ADMINISTRATOR_PASSWORD,
                AdministratorController.target(userName),
                AdministratorResponse.of(find(userName)),
                () -> {
                    String hash = passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
                    if (!users.changePassword(userName, hash)) {
                        throw removed();
                    }
                    return Audited.nothing();
                });
    }

    private AdminUser find(String userName) {
        AdminUser user = users.find(userName);
        if (user == null) {
            throw removed();
        }
        return user;
    }

    private static RequestProblem removed() {
        return RequestProblem.notFound("This administrator has just been removed.");
    }

    /**
     * Body of a request that changes the password of the administrator who sends it.
     *
     * @param presentPassword needed with the session of a browser, which outlasts the sight of the password
     */
    record AccountPassword(
            @Nullable String password, @Nullable String presentPassword) {
        /** Omits the passwords. */
        @Override
        public String toString() {
            return "AccountPassword[]";
        }
    }
}

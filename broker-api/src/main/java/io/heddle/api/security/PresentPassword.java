package io.heddle.api.security;

import io.heddle.api.problem.RequestProblem;
import io.heddle.core.StoreUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;

/**
 * Checks the present password before a change that outlives the session of a browser, such as a new password. Otherwise a stolen cookie, or an
 * unlocked browser, would be enough to take over the account. A wrong password counts as a failed sign-in. Blocks. Thread-safe.
 */
public final class PresentPassword {
    private final AuthenticationManager signIn;

    public PresentPassword(AuthenticationManager signIn) {
        this.signIn = signIn;
    }

    /**
     * Checks the password, unless the request has shown it to sign in.
     *
     * @param field the field of the request that has the password
     * @throws RequestProblem if it is wrong or cannot be checked
     */
    public void check(Principal sender, @Nullable String password, String field, HttpServletRequest request) {
        if (BrowserSessions.current(sender) == null) {
            return;
        }
        if (password == null) {
            throw RequestProblem.invalid(field, "Give your present password.");
        }
        UsernamePasswordAuthenticationToken shown =
                UsernamePasswordAuthenticationToken.unauthenticated(sender.getName(), password);
        shown.setDetails(RequestDetails.of(request));
        try {
            var _ = signIn.authenticate(shown);
        } catch (BadCredentialsException wrong) {
            throw RequestProblem.invalid(field, "This is not your present password.");
        } catch (SignInLimitedException limited) {
            throw RequestProblem.limited(
                    "Too many wrong passwords: wait " + limited.retryAfterSeconds() + " s, then try again.");
        } catch (AuthenticationServiceException unavailable) {
            if (unavailable.getCause() instanceof StoreUnavailableException store) {
                throw store;
            }
            throw RequestProblem.unavailable("Too many passwords are being checked: try again.");
        }
    }
}

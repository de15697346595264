package io.heddle.api.security;

import io.heddle.core.administration.AdminRole;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.http.HttpMethod;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer.HstsConfig;
import org.springframework.security.config.http.SessionCreationPolicy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.AuthorizationFilter;
import org.springframework.security.web.authentication.AuthenticationFilter;
import org.springframework.security.web.authentication.www.BasicAuthenticationFilter;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.security.web.util.matcher.OrRequestMatcher;
import org.springframework.security.web.util.matcher.RequestMatcher;

/**
 * Authorization of HTTP requests and the security headers of all responses. The first rule that matches decides: requests that read need any
 * role, except for payloads; requests that change something and match no other rule need the role ADMIN. API keys have the role {@link
 * ApiKeyAuthentication#KEY}, too, which closes the addresses of those who may sign in.
 */
public final class AccessRules {
    private static final String ICON = "/favicon.ico";
    private static final String FILES = "/assets/*/*";

    /** Health, and what a browser needs to show the page for the sign-in. */
    private static final String[] OPEN = {
        SignInController.SIGN_IN, SecurityProblems.UNAVAILABLE, ICON, FILES, "/actuator/health", "/actuator/health/**"
    };

    /** Forms that open and end a session. */
    private static final String[] OPEN_FORMS = {SignInController.SIGN_IN, SignInController.SIGN_OUT};

    /** Requests whose answer does not depend on the session of a browser. */
    private static final RequestMatcher WITHOUT_SESSION = new OrRequestMatcher(
            PathPatternRequestMatcher.pathPattern(HttpMethod.POST, SignInController.SIGN_IN),
            PathPatternRequestMatcher.pathPattern(HttpMethod.POST, SignInController.SIGN_OUT),
            PathPatternRequestMatcher.pathPattern(HttpMethod.GET, ICON),
            PathPatternRequestMatcher.pathPattern(HttpMethod.GET, FILES));

    /**
     * Those who may sign in. With a stolen key, nobody must be able to create others, which would outlive its removal, or to guess passwords
     * without limit.
     */
    private static final List<PathPatternRequestMatcher> ACCOUNTS = Stream.of(
                    "/api/v1/account/**",
                    "/api/v1/administrator/**",
                    "/api/v1/administrators/**",
                    "/api/v1/api-keys/**",
                    "/api/v1/lockouts/**")
            .map(PathPatternRequestMatcher::pathPattern)
            .toList();

    /** Requests that return payloads of messages. */
    private static final String[] PAYLOADS = {"/api/v1/retained/message", "/api/v1/queues/messages"};

    /** Requests that change what an operator may change, with any method. */
    private static final String[] OPERATION = {
        "/api/v1/applications/**",
        "/api/v1/blocked-clients",
        "/api/v1/blocked-clients/**",
        "/api/v1/client/**",
        "/api/v1/cluster/**",
        "/api/v1/node/**",
        "/api/v1/nodes/**",
        "/api/v1/queues/**",
        "/api/v1/retained/**",
        "/api/v1/sessions",
        "/api/v1/stores/**"
    };

    /** Questions that have a body. */
    private static final String[] RULES_TRIALS = {"/api/v1/rules/test", "/api/v1/rules/dry-run"};

    private static final String OWN_PASSWORD = "/api/v1/account/password";
    private static final String[] OWN_SESSIONS = {"/api/v1/account/sessions", "/api/v1/account/sessions/*"};

    private static final String ADMIN = AdminRole.ADMIN.name();
    private static final String OPERATOR = AdminRole.OPERATOR.name();
    private static final String[] ALL =
            Stream.of(AdminRole.values()).map(AdminRole::name).toArray(String[]::new);

    private final AuthenticationManager signIn;
    private final ApiKeyAuthentication keys;
    private final SessionFilter sessions;
    private final SecurityProblems problems;

    public AccessRules(
            AuthenticationManager signIn,
            ApiKeyAuthentication keys,
            BrowserSessions sessions,
            SignInGuard guard,
            SecurityProblems problems) {
        this.signIn = signIn;
        this.keys = keys;
        this.sessions = new SessionFilter(sessions, guard.metrics(), WITHOUT_SESSION);
        this.problems = problems;
    }

    /** Builds the only filter chain, which every request passes. */
    public SecurityFilterChain chain(HttpSecurity http) {
        return http.authenticationManager(signIn)
                .authorizeHttpRequests(rules -> rules.requestMatchers(HttpMethod.GET, OPEN)
                        .permitAll()
                        .requestMatchers(HttpMethod.HEAD, OPEN)
                        .permitAll()
                        .requestMatchers(HttpMethod.POST, OPEN_FORMS)
                        .permitAll()
                        .requestMatchers(AccessRules::isKeyForAccounts)
                        .denyAll()
                        .requestMatchers(HttpMethod.GET, PAYLOADS)
                        .hasAnyRole(ADMIN, OPERATOR)
                        .requestMatchers(HttpMethod.HEAD, PAYLOADS)
                        .hasAnyRole(ADMIN, OPERATOR)
                        .requestMatchers(HttpMethod.GET)
                        .hasAnyRole(ALL)
                        .requestMatchers(HttpMethod.HEAD)
                        .hasAnyRole(ALL)
                        .requestMatchers(HttpMethod.PUT, OWN_PASSWORD)
                        .hasAnyRole(ALL)
                        .requestMatchers(HttpMethod.DELETE, OWN_SESSIONS)
                        .hasAnyRole(ALL)
                        .requestMatchers(HttpMethod.POST, RULES_TRIALS)
                        .hasAnyRole(ALL)
                        .requestMatchers(OPERATION)
                        .hasAnyRole(ADMIN, OPERATOR)
                        .anyRequest()
                        .hasRole(ADMIN))
                .httpBasic(basic ->
                        basic.authenticationEntryPoint(problems).authenticationDetailsSource(RequestDetails::of))
                .addFilterBefore(keyFilter(), BasicAuthenticationFilter.class)
                .addFilterBefore(sessions, BasicAuthenticationFilter.class)
                .exceptionHandling(
                        refusals -> refusals.authenticationEntryPoint(problems).accessDeniedHandler(problems))
                .addFilterAfter(new JsonContentTypeFilter(), AuthorizationFilter.class)
                // SessionFilter protects sessions, and JsonContentTypeFilter all other requests.
                .csrf(AbstractHttpConfigurer::disable)
                .sessionManagement(sessions -> sessions.sessionCreationPolicy(SessionCreationPolicy.STATELESS))
                .requestCache(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                // Browsers would apply Strict-Transport-Security to all ports of the host, of which that of the probes
                // has no TLS.
                .headers(headers -> headers.httpStrictTransportSecurity(HstsConfig::disable)
                        .addHeaderWriter(new PageHeaders())
                        .crossOriginResourcePolicy(policy -> policy.policy(CrossOriginResourcePolicy.SAME_ORIGIN)))
                .build();
    }

    private static boolean isKeyForAccounts(HttpServletRequest request) {
        return request.isUserInRole(ApiKeyAuthentication.KEY)
                && ACCOUNTS.stream().anyMatch(path -> path.matches(request));
    }

    private AuthenticationFilter keyFilter() {
        AuthenticationFilter filter = new AuthenticationFilter(keys, ApiKeyAuthentication::shown);
        // The default redirects.
        filter.setSuccessHandler((_, _, _) -> {});
        filter.setFailureHandler(problems::commence);
        return filter;
    }
}

package io.heddle.app.settings;

import io.heddle.app.authentication.CertificateSettings;
import io.heddle.app.authentication.FlappingSettings;
import io.heddle.app.authentication.HttpServiceSettings;
import io.heddle.app.authentication.JwtSettings;
import io.heddle.app.authentication.MethodName;
import io.heddle.app.listeners.ConfiguredListener;
import io.heddle.core.Limit;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.authentication.fairness.ConnectRates;
import io.heddle.core.authentication.fairness.SignInFailures;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Authentication of clients.
 *
 * @param methods the methods that are asked about a client, in this order, until one of them decides: password (the stored credentials), jwt,
 *     certificate, http; scram (the stored credentials, by enhanced authentication) decides about clients that name SCRAM-SHA-256 or SCRAM-SHA-512
 *     as their method, and jwt also about those that name JWT
 * @param jwt clients whose password is a JSON Web Token
 * @param certificate clients with certificates
 * @param http clients about which a service decides
 * @param anonymous clients that send neither a user name nor a password
 * @param flapping clients that connect too often
 * @param maximumConnectRate maximum number of clients that connect to a node in a second, averaged over ten seconds; further ones are refused
 *     with "connection rate exceeded" (0x9F); 0 means no limit. Set the limit for an address, too: else one address can use it up
 * @param maximumConnectRatePerAddress the same for an IPv4 address or an IPv6 /64, which may be that of many devices behind a router
 * @param maximumPending maximum number of clients whose authentication is pending. A network (an IPv4 address or an IPv6 /64) may use at
 *     most as many places as are free, and a user name at most as many as are free to its network; further clients are refused with "server
 *     busy"
 * @param concurrentPasswordChecks maximum number of concurrent password checks for clients, each of which takes 19 MiB of memory; 0 means
 *     one for each processor. Networks take turns, and so do the user names of a network; administrators do not wait for clients
 * @param maximumPasswordWait maximum time that a client waits for its password check before it is refused with "server busy"
 * @param refusalDelay delay before a wrong password is refused; it doubles with each further failure of the same network or user name
 * @param maximumRefusalDelay maximum of the refusal delay; 0s disables the delay
 * @param failureWindow time after its last failure until the failures of a network or user name are forgotten
 * @param maximumRemembered maximum number of passwords of clients that are remembered to match the stored hash, so that they are not
 *     checked at each CONNECT, together with the credentials that they fit, so that PostgreSQL is not asked either; 0 means none. The
 *     password itself is not stored; an entry takes about 700 bytes. A changed password and removed credentials take effect when PostgreSQL
 *     has told this node of them, which takes some milliseconds, and at most two seconds
 * @param remember how long a matching password is remembered
 */
public record AuthenticationSettings(
        @DefaultValue("password") List<MethodName> methods,
        @DefaultValue @NestedConfigurationProperty JwtSettings jwt,
        @DefaultValue @NestedConfigurationProperty CertificateSettings certificate,
        @DefaultValue @NestedConfigurationProperty HttpServiceSettings http,
        @DefaultValue @NestedConfigurationProperty Anonymous anonymous,
        @DefaultValue @NestedConfigurationProperty FlappingSettings flapping,
        @DefaultValue("0") int maximumConnectRate,
        @DefaultValue("0") int maximumConnectRatePerAddress,
        @DefaultValue("10000") int maximumPending,
        @DefaultValue("0") int concurrentPasswordChecks,
        @DefaultValue("20s") Duration maximumPasswordWait,
        @DefaultValue("100ms") Duration refusalDelay,
        @DefaultValue("5s") Duration maximumRefusalDelay,
        @DefaultValue("1m") Duration failureWindow,
        @DefaultValue("100000") int maximumRemembered,
        @DefaultValue("1h") Duration remember) {
    private static final String MAXIMUM_PENDING = "heddle.authentication.maximum-pending";
    private static final String MAXIMUM_CONNECT_RATE = "heddle.authentication.maximum-connect-rate";
    private static final String MAXIMUM_CONNECT_RATE_PER_ADDRESS =
            "heddle.authentication.maximum-connect-rate-per-address";

    public AuthenticationSettings {
        methods = List.copyOf(methods);
        if (methods.isEmpty() || Set.copyOf(methods).size() < methods.size()) {
            throw new StartupException(
                    "heddle.authentication.methods is empty, or has a method twice: name each method once, for example"
                            + " jwt,password",
                    null);
        }
        jwt.check(methods.contains(MethodName.JWT));
        http.check(methods.contains(MethodName.HTTP));
        SettingRule.between(MAXIMUM_CONNECT_RATE, maximumConnectRate, 0, 1_000_000);
        SettingRule.between(MAXIMUM_CONNECT_RATE_PER_ADDRESS, maximumConnectRatePerAddress, 0, 1_000_000);
        if (maximumPending < 1) {
            throw new StartupException(MAXIMUM_PENDING + " is " + maximumPending + ": set it to 1 or more", null);
        }
        SettingRule.between("heddle.authentication.concurrent-password-checks", concurrentPasswordChecks, 0, 1_024);
        SettingRule.between(
                "heddle.authentication.maximum-password-wait",
                maximumPasswordWait,
                Duration.ofMillis(100),
                Duration.ofMinutes(5));
        SettingRule.between(
                "heddle.authentication.refusal-delay", refusalDelay, Duration.ofMillis(1), Duration.ofMinutes(1));
        SettingRule.between(
                "heddle.authentication.maximum-refusal-delay",
                maximumRefusalDelay,
                Duration.ZERO,
                Duration.ofMinutes(1));
        SettingRule.between(
                "heddle.authentication.failure-window", failureWindow, Duration.ofSeconds(1), Duration.ofDays(1));
        SettingRule.between("heddle.authentication.maximum-remembered", maximumRemembered, 0, 10_000_000);
        SettingRule.between("heddle.authentication.remember", remember, Duration.ofSeconds(1), Duration.ofDays(30));
    }

    /** Throws StartupException if a listener has a method that is not in the list. */
    void check(ConfiguredListener listener) {
        List<MethodName> own = listener.settings().authenticationMethods();
        String key = listener.key() + ".authentication-methods";
        if (!methods.containsAll(own)) {
            throw new StartupException(
                    key + " has a method that heddle.authentication.methods does not have: add it there, too", null);
        }
        if (Set.copyOf(own).size() < own.size()) {
            throw new StartupException(key + " has a method twice: name each method once", null);
        }
    }

    /** Creates the limits of clients that connect. */
    public ConnectRates connectRates() {
        return new ConnectRates(
                new Limit(MAXIMUM_CONNECT_RATE, maximumConnectRate),
                new Limit(MAXIMUM_CONNECT_RATE_PER_ADDRESS, maximumConnectRatePerAddress),
                System::nanoTime);
    }

    public Set<String> methodNames() {
        return methods.stream().map(MethodName::text).collect(Collectors.toSet());
    }

    /** Creates the counter of failed sign-ins. */
    public SignInFailures signInFailures() {
        return new SignInFailures(refusalDelay, maximumRefusalDelay, failureWindow, System::nanoTime);
    }

    /** Returns the limit of clients for the stored credentials, of twice maximumPending that may be undecided. The rest is for other methods. */
    public Limit passwordLimit() {
        return new Limit(MAXIMUM_PENDING, maximumPending + maximumPending / 2L);
    }

    public int passwordChecks() {
        return concurrentPasswordChecks == 0 ? Runtime.getRuntime().availableProcessors() : concurrentPasswordChecks;
    }

    /**
     * Clients that send neither a user name nor a password.
     *
     * @param enabled whether clients without user name and password may connect. If it is not set, they may in the profile "standalone"
     *     while all listeners for MQTT are bound to loopback addresses and trust no proxies, otherwise not
     * @param applicationClients patterns of client ids (* for any characters, ? for one) of APPLICATION clients; all other clients are
     *     DEVICE clients
     */
    public record Anonymous(
            @Nullable Boolean enabled, @DefaultValue List<String> applicationClients) {
        public Anonymous {
            for (String pattern : applicationClients) {
                if (pattern.isBlank()) {
                    throw new StartupException(
                            "heddle.authentication.anonymous.application-clients has an empty pattern:"
                                    + " write patterns like billing-*, separated by commas",
                            null);
                }
            }
            applicationClients = List.copyOf(applicationClients);
        }

        public List<ClientIdPattern> applicationClientPatterns() {
            return applicationClients.stream().map(ClientIdPattern::new).toList();
        }
    }
}

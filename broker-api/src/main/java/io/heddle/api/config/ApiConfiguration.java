package io.heddle.api.config;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.api.administrators.AccountController;
import io.heddle.api.administrators.AccountSessionController;
import io.heddle.api.administrators.AdministratorController;
import io.heddle.api.administrators.ApiKeyController;
import io.heddle.api.alerts.AlertController;
import io.heddle.api.applications.ApplicationController;
import io.heddle.api.audit.Audit;
import io.heddle.api.audit.AuditController;
import io.heddle.api.blocked.BlockedClientController;
import io.heddle.api.buckets.BucketController;
import io.heddle.api.clients.ClientController;
import io.heddle.api.clients.ExplanationController;
import io.heddle.api.clients.SessionController;
import io.heddle.api.clients.TopController;
import io.heddle.api.console.ConsoleController;
import io.heddle.api.console.ConsoleFiles;
import io.heddle.api.credentials.CredentialsController;
import io.heddle.api.credentials.CredentialsImportController;
import io.heddle.api.history.HistoryController;
import io.heddle.api.history.LedgerController;
import io.heddle.api.message.MessageLimits;
import io.heddle.api.node.NodeController;
import io.heddle.api.openapi.ApiPage;
import io.heddle.api.openapi.OpenApiController;
import io.heddle.api.page.EntityTags;
import io.heddle.api.page.ParameterCheck;
import io.heddle.api.problem.ErrorResponses;
import io.heddle.api.problem.ExceptionProblems;
import io.heddle.api.problem.ProblemValve;
import io.heddle.api.problem.UnhandledExceptionFilter;
import io.heddle.api.publish.PublishController;
import io.heddle.api.queues.QueueController;
import io.heddle.api.refusals.RefusalController;
import io.heddle.api.retained.RetainedController;
import io.heddle.api.rules.RulesController;
import io.heddle.api.security.AccessRules;
import io.heddle.api.security.AdministratorAuthentication;
import io.heddle.api.security.ApiKeyAuthentication;
import io.heddle.api.security.BrowserSessions;
import io.heddle.api.security.CurrentRoles;
import io.heddle.api.security.LockoutController;
import io.heddle.api.security.PresentPassword;
import io.heddle.api.security.SecurityProblems;
import io.heddle.api.security.SessionSettings;
import io.heddle.api.security.SignInController;
import io.heddle.api.security.SignInGuard;
import io.heddle.api.security.SignInSettings;
import io.heddle.api.server.BodyLimitFilter;
import io.heddle.api.server.HttpLimits;
import io.heddle.api.server.ProbePort;
import io.heddle.api.server.TrustedProxies;
import io.heddle.api.settings.SettingsController;
import io.heddle.api.stores.StoreController;
import io.heddle.api.subscriptions.SharedGroupController;
import io.heddle.api.subscriptions.SubscriptionController;
import io.heddle.api.trace.TraceController;
import io.heddle.core.administration.AdminSessions;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.administration.ApiKeys;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.authentication.csv.HashFormat;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.node.operation.EffectiveSettings;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import tools.jackson.databind.json.JsonMapper;

/**
 * Beans of the HTTP interface: the imported classes, whose parameters are beans, and those that are constructed here. Requires Spring Boot's
 * auto-configuration and beans of {@link Node}, {@link AdminSessions}, {@link AdminUsers}, {@link ApiKeys}, {@link AuditLog}, {@link
 * BlockedClientStore}, {@link CredentialsStore}, {@link EffectiveSettings}, {@link PasswordHash}, {@link HashFormat}, {@link HttpLimits}, {@link
 * HangingTransactions}, {@link LogServers}, {@link QueueServers}, {@link TrustedProxies}, {@link MessageLimits} and {@link MeterRegistry}; that
 * of {@link ProbePort} is optional.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@EnableConfigurationProperties({SessionSettings.class, SignInSettings.class})
@Import({
    AccountController.class,
    AccountSessionController.class,
    AdministratorController.class,
    AlertController.class,
    ApiPage.class,
    ApplicationController.class,
    Audit.class,
    AuditController.class,
    BlockedClientController.class,
    BucketController.class,
    ClientController.class,
    ConsoleController.class,
    ConsoleFiles.class,
    CredentialsController.class,
    CredentialsImportController.class,
    EntityTags.class,
    ErrorResponses.class,
    ExceptionProblems.class,
    ExplanationController.class,
    HistoryController.class,
    LedgerController.class,
    LockoutController.class,
    NodeController.class,
    OpenApiController.class,
    PublishController.class,
    QueueController.class,
    RefusalController.class,
    RetainedController.class,
    RulesController.class,
    SecurityProblems.class,
    SessionController.class,
    SettingsController.class,
    SharedGroupController.class,
    SignInController.class,
    StoreController.class,
    StrictParameters.class,
    SubscriptionController.class,
    TopController.class,
    TraceController.class
})
public class ApiConfiguration {
    @Bean
    ApiKeyController apiKeyController(ApiKeys keys, Audit audit) {
        return new ApiKeyController(keys, audit, new SecureRandom());
    }

    @Bean
    FilterRegistrationBean<UnhandledExceptionFilter> unhandledExceptionFilter() {
        FilterRegistrationBean<UnhandledExceptionFilter> registration =
                new FilterRegistrationBean<>(new UnhandledExceptionFilter());
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    /** After the filters of Spring Security, whose order is -100. */
    @Bean
    FilterRegistrationBean<BodyLimitFilter> bodyLimitFilter(MessageLimits messages, HttpLimits limits) {
        FilterRegistrationBean<BodyLimitFilter> registration =
                new FilterRegistrationBean<>(new BodyLimitFilter(messages.maximumPacketSize(), limits.bodyTimeout()));
        registration.setOrder(Ordered.LOWEST_PRECEDENCE);
        return registration;
    }

    @Bean
    JsonMapperBuilderCustomizer strictJson() {
        return new StrictJson();
    }

    @Bean
    WebMvcConfigurer parameterCheck() {
        return new WebMvcConfigurer() {
            @Override
            public void addInterceptors(InterceptorRegistry interceptors) {
                interceptors.addInterceptor(new ParameterCheck()).addPathPatterns("/api/**");
            }
        };
    }

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemsFromTomcat(JsonMapper json) {
        return server -> server.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemValve(json)));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> boundedConnections(
            HttpLimits limits, TrustedProxies proxies, ObjectProvider<ProbePort> probes, MeterRegistry metrics) {
        return factory -> {
            limits.applyTo(factory, metrics);
            proxies.applyTo(factory);
            probes.ifAvailable(port -> port.applyTo(factory));
        };
    }

    @Bean
    SignInGuard signInGuard(SignInSettings settings, MeterRegistry registry) {
        return new SignInGuard(settings, registry, Ticker.systemTicker());
    }

    @Bean
    AuthenticationManager signIn(
            AdminUsers users, PasswordHash passwordHash, SignInGuard guard, SignInSettings settings) {
        return new ProviderManager(new AdministratorAuthentication(
                users, passwordHash, guard, settings, new SecureRandom(), Ticker.systemTicker()));
    }

    @Bean
    BrowserSessions browserSessions(
            AdminUsers users, AdminSessions sessions, SessionSettings settings, SignInGuard guard) {
        return new BrowserSessions(
                users, sessions, settings, guard, new SecureRandom(), InstantSource.system(), Ticker.systemTicker());
    }

    @Bean
    PresentPassword presentPassword(AuthenticationManager signIn) {
        return new PresentPassword(signIn);
    }

    @Bean
    CurrentRoles currentRoles(AdminUsers users, ApiKeys keys, BrowserSessions sessions) {
        return new CurrentRoles(users, keys, sessions, InstantSource.system());
    }

    @Bean
    SecurityFilterChain accessRules(
            HttpSecurity http,
            AuthenticationManager signIn,
            ApiKeys keys,
            BrowserSessions sessions,
            SignInGuard guard,
            SecurityProblems problems) {
        // No bean, because Spring Security takes one manager from the beans.
        ApiKeyAuthentication byKey =
                new ApiKeyAuthentication(keys, guard, InstantSource.system(), Ticker.systemTicker());
        return new AccessRules(signIn, byKey, sessions, guard, problems).chain(http);
    }
}

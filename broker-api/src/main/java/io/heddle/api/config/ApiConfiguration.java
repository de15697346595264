package io.heddle.api.config;

import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.api.node.NodeController;
import io.heddle.api.problem.ContainerErrors;
import io.heddle.api.problem.ExceptionProblems;
import io.heddle.api.problem.FaultReports;
import io.heddle.api.problem.ProblemValve;
import io.heddle.api.problem.ProblemWriter;
import io.heddle.api.problem.UnhandledExceptionFilter;
import io.heddle.api.security.AccessRules;
import io.heddle.api.security.AdministratorAuthentication;
import io.heddle.api.security.SecurityProblems;
import io.heddle.api.security.SignInSettings;
import io.heddle.api.server.HttpLimits;
import io.heddle.core.administration.AdminUsers;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.lifecycle.Node;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.web.SecurityFilterChain;
import tools.jackson.databind.json.JsonMapper;

/**
 * The HTTP interface. Needs of whoever imports it: Spring Boot's auto-configuration, and beans of {@link Node}, {@link
 * AdminUsers}, {@link PasswordHash}, {@link HttpLimits} and {@link MeterRegistry}.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
@EnableConfigurationProperties(SignInSettings.class)
public class ApiConfiguration {
    @Bean
    NodeController nodeController(Node node) {
        return new NodeController(node);
    }

    @Bean
    ProblemWriter problemWriter(JsonMapper json) {
        return new ProblemWriter(json);
    }

    @Bean
    FaultReports faultReports() {
        return new FaultReports();
    }

    @Bean
    ExceptionProblems exceptionProblems(FaultReports faults) {
        return new ExceptionProblems(faults);
    }

    @Bean
    ContainerErrors containerErrors() {
        return new ContainerErrors();
    }

    @Bean
    FilterRegistrationBean<UnhandledExceptionFilter> unhandledExceptionFilter(
            FaultReports faults, ProblemWriter writer) {
        FilterRegistrationBean<UnhandledExceptionFilter> registration =
                new FilterRegistrationBean<>(new UnhandledExceptionFilter(faults, writer));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> problemsFromTomcat(ProblemWriter writer) {
        return server -> server.addContextCustomizers(
                context -> context.getParent().getPipeline().addValve(new ProblemValve(writer)));
    }

    @Bean
    WebServerFactoryCustomizer<TomcatServletWebServerFactory> boundedConnections(HttpLimits limits) {
        return limits::limit;
    }

    @Bean
    AuthenticationManager signIn(
            AdminUsers users, PasswordHash passwordHash, SignInSettings settings, MeterRegistry registry) {
        return new ProviderManager(new AdministratorAuthentication(
                users, passwordHash, settings, registry, new SecureRandom(), Ticker.systemTicker()));
    }

    /** A bean of its own because Spring Security looks for the handler of rejected requests among the beans. */
    @Bean
    SecurityProblems securityProblems(ProblemWriter writer) {
        return new SecurityProblems(writer);
    }

    @Bean
    SecurityFilterChain accessRules(
            HttpSecurity http, AuthenticationManager signIn, SecurityProblems problems, ProblemWriter writer) {
        return new AccessRules(signIn, problems, writer).chain(http);
    }
}

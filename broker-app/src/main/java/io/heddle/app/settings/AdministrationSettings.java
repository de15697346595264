package io.heddle.app.settings;

import io.heddle.api.security.SignInSettings;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of administrators.
 *
 * @param signIn sign-in of administrators over HTTP
 */
public record AdministrationSettings(
        @DefaultValue @NestedConfigurationProperty SignInSettings signIn) {}

package io.heddle.app.settings;

import io.heddle.api.security.SessionSettings;
import io.heddle.api.security.SignInSettings;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of administrators.
 *
 * @param session sessions of administrators in browsers
 * @param signIn sign-in of administrators over HTTP
 */
public record AdministrationSettings(
        @DefaultValue @NestedConfigurationProperty SessionSettings session,
        @DefaultValue @NestedConfigurationProperty SignInSettings signIn) {}

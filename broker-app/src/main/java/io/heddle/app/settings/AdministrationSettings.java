package io.heddle.app.settings;

import io.heddle.api.security.SignInSettings;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who may administer.
 *
 * @param signIn how administrators sign in
 */
public record AdministrationSettings(
        @DefaultValue @NestedConfigurationProperty SignInSettings signIn) {}

/**
 * The servers behind the stores. Entry class: {@link io.heddle.api.stores.StoreController}, on the virtual thread of the request. Any node
 * answers.
 */
@NullMarked
package io.heddle.api.stores;

import org.jspecify.annotations.NullMarked;

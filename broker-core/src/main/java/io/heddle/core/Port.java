package io.heddle.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an interface that core declares and an outer module implements with a real technology. Each port has an abstract contract
 * test, which the tests of its adapter and of its in-memory fake both extend.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Port {}

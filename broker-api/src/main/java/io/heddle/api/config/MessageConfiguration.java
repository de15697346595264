package io.heddle.api.config;

import io.heddle.api.applications.ApplicationController;
import io.heddle.api.audit.Audit;
import io.heddle.api.buckets.BucketController;
import io.heddle.api.message.MessageLimits;
import io.heddle.api.page.EntityTags;
import io.heddle.api.publish.PublishController;
import io.heddle.api.queues.QueueController;
import io.heddle.api.refusals.RefusalController;
import io.heddle.api.retained.RetainedController;
import io.heddle.api.stores.StoreController;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.store.HangingTransactions;
import io.heddle.core.operator.store.LogServers;
import io.heddle.core.operator.store.QueueServers;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Beans of the resources of messages, buckets, refusals and stores. */
@Configuration(proxyBeanMethods = false)
public class MessageConfiguration {
    @Bean
    RetainedController retainedController(Node node, Audit audit, MessageLimits limits, EntityTags tags) {
        return new RetainedController(node, audit, limits, tags);
    }

    @Bean
    PublishController publishController(Node node, Audit audit, MessageLimits limits) {
        return new PublishController(node, audit, limits);
    }

    @Bean
    QueueController queueController(Node node, Audit audit) {
        return new QueueController(node, audit);
    }

    @Bean
    BucketController bucketController(Node node) {
        return new BucketController(node);
    }

    @Bean
    RefusalController refusalController(Node node) {
        return new RefusalController(node);
    }

    @Bean
    StoreController storeController(
            LogServers logs, QueueServers queues, HangingTransactions transactions, Audit audit) {
        return new StoreController(logs, queues, transactions, audit);
    }

    @Bean
    ApplicationController applicationController(Node node, Audit audit) {
        return new ApplicationController(node, audit);
    }
}

package io.heddle.app.e2e;

/** A message as a subscriber got it, its payload as text. */
record ReceivedMessage(String topic, String payload, int qos, boolean retain) {}

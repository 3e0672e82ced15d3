/**
 * The circuit breaker pauses an endpoint after several deliveries in a row have failed for good. Deliveries wait during
 * a pause without using an attempt. After the pause one delivery goes out as a probe. If it arrives, all waiting
 * deliveries follow. If it fails, the next pause is twice as long, up to a day. After `failuresBeforeOff` failures the
 * webhook is switched off. Single attempts are not counted, so the retries of one delivery do not pause an endpoint
 * that was briefly down. Deliveries already under way when the pause began are not counted either, or one burst would
 * count as weeks of failure.
 */
export const failuresBeforePause = 4;
export const failuresBeforeOff = 40;
export const longestPauseSeconds = 86_400;

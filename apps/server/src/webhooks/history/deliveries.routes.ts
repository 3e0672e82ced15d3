import { routes } from '@bottega/contract';
import type { Slots } from '../../foundation/concurrency/slots.ts';
import { type App, causeOf, createOnce, handle, type Once, principalOf } from '../../foundation/http/index.ts';
import type { WebhookEngine } from '../delivery/index.ts';
import { writeWebhookDown } from '../queue/index.ts';
import {
  listDeliveries,
  readDelivery,
  readEventLog,
  recover,
  redeliver,
  redeliverAllFailed,
  testWebhook,
} from './deliveries.service.ts';
import { readStats } from './stats.service.ts';

type Options = Once & {
  engine: Pick<WebhookEngine, 'sendTest' | 'nudge'>;
  /** Slots for requests that create thousands of deliveries and occupy a database connection meanwhile. */
  bulk: Slots;
};

export function deliveryRoutes(app: App, { engine, bulk, ...once }: Options): void {
  const { db } = once;
  // After the commit, the nudge makes a worker send new deliveries without waiting for the next poll.
  const { nudge } = engine;

  // The request waits for the endpoint, and locks no row meanwhile.
  handle(app, routes.testWebhook, { config: { queuesItself: true } }, (request) => {
    const asked = { webhookId: request.params.webhook_id, input: request.body ?? {}, cause: causeOf(request) };
    // A test that arrives ends a pause, so waiting deliveries may be due now.
    return testWebhook(db, principalOf(request), asked, engine).finally(nudge);
  });

  handle(app, routes.listDeliveries, (request) =>
    listDeliveries(db, principalOf(request), request.params.webhook_id, request.query),
  );

  handle(app, routes.readDelivery, (request) => {
    const { webhook_id: webhookId, delivery_id: deliveryId } = request.params;
    return readDelivery(db, principalOf(request), { webhookId, deliveryId });
  });

  handle(app, routes.redeliver, (request, reply) => {
    const { webhook_id: webhookId, delivery_id: deliveryId } = request.params;
    return createOnce(once, request, reply, (trx) =>
      redeliver(trx, principalOf(request), { webhookId, deliveryId }),
    ).finally(nudge);
  });

  handle(app, routes.redeliverFailed, (request, reply) => {
    const asked = { webhookId: request.params.webhook_id, input: request.body ?? {} };
    const principal = principalOf(request);
    const work = () => createOnce(once, request, reply, (trx) => redeliverAllFailed(trx, principal, asked));
    return bulk.run(principal.userId, work).finally(nudge);
  });

  handle(app, routes.recoverWebhook, (request, reply) => {
    const asked = { webhookId: request.params.webhook_id, input: request.body };
    const principal = principalOf(request);
    const work = async () => {
      // Deliveries that are under way become rows, so that their events count as pending. This is not done in the
      // transaction of the recovery, because the outcomes of these deliveries would wait for its end.
      await writeWebhookDown(db, asked.webhookId);
      return createOnce(once, request, reply, (trx) => recover(trx, principal, asked));
    };
    return bulk.run(principal.userId, work).finally(nudge);
  });

  handle(app, routes.listWebhookEvents, (request) =>
    readEventLog(db, principalOf(request), request.params.webhook_id, request.query),
  );

  handle(app, routes.readWebhookStats, (request) =>
    readStats(db, principalOf(request), request.params.webhook_id, request.query),
  );
}

import type { EventType } from '@bottega/contract';
import { onEvents } from '../events/index.ts';
import type { Ground } from '../foundation/ground.ts';
import type { App, Guard } from '../foundation/http/index.ts';
import type { Slice } from '../foundation/slice.ts';
import { eventRoutes } from './events.routes.ts';
import { createFarFollowers } from './far-followers.ts';
import { createStreamMetrics } from './metrics.ts';
import { createOpenStreams } from './open-streams.ts';
import { createReader } from './reader.ts';

type Needs = {
  authenticate: Guard['authenticate'];
  webhooks: {
    isWanted(type: EventType): boolean;
    isWantedIn(type: EventType, projectId: string): Promise<boolean>;
  };
};

/** Events for clients, as a list and as a stream. */
export function createEventStream({ db, caches, nudges, publicUrl, warn }: Ground, { authenticate, webhooks }: Needs) {
  const onError = warn('event stream');
  const open = createOpenStreams({ authenticate });
  const metrics = createStreamMetrics(open.count);
  const far = createFarFollowers({ nudges, onNews: () => reader.look() });
  const reader = createReader({
    db,
    onAudience: (audience) => far.follow(followingOf(audience)),
    onError: (error) => onError(error, 'failed to read events for open streams; trying again'),
  });
  caches.register('credentials', open.credentialsChanged);
  const stopListening = onEvents(db, (_types, isHeard) => {
    reader.look();
    if (!isHeard) far.committed();
  });

  return {
    /** Downloads are frequent, so they become events only if a webhook or a stream wants them. */
    downloadInterest: {
      isAny: () => far.followsDownloads() || webhooks.isWanted('file.downloaded'),
      isAnyIn: async (projectId: string) =>
        far.followsDownloads() || (await webhooks.isWantedIn('file.downloaded', projectId)),
    },
    routes: (api: App) => eventRoutes(api, { db, reader, open, metrics, publicUrl }),
    metrics: metrics.register,
    // Streams are ended now, when new requests are already refused, so that clients reconnect to another node.
    async drain() {
      stopListening();
      open.endAll();
    },
  } satisfies Slice & Record<string, unknown>;
}

function followingOf(types: ReadonlySet<EventType> | null) {
  if (types === null) return 'nobody';
  return types.has('file.downloaded') ? 'downloads' : 'somebody';
}

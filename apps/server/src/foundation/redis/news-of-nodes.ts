import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { gatherNews, listenersByTopic, type News, type Siblings } from '../cluster/siblings.ts';
import type { Redis } from './open-redis.ts';

/**
 * Returns siblings whose news also reaches the nodes on other machines. Questions still go only to processes of this
 * machine.
 */
export function withNewsOfNodes(siblings: Siblings, redis: Redis): Siblings {
  // News that comes back from this machine is ignored, because its processes have already told each other.
  const machine = siblings.isAlone ? randomUUID() : `${hostname()} ${process.ppid}`;
  const listeners = listenersByTopic();
  const tellNodes = gatherNews((news) => redis.tell(JSON.stringify({ machine, news })));
  redis.hear((text) => {
    const told = JSON.parse(text) as { machine: string; news: News };
    if (told.machine !== machine) listeners.tell(told.news);
  });
  return {
    ...siblings,
    newsOfNodes: () => (redis.isThere() ? 'heard' : 'lost'),
    tell(topic, text) {
      siblings.tell(topic, text);
      tellNodes(topic, text);
    },
    hear(topic, listener) {
      siblings.hear(topic, listener);
      listeners.hear(topic, listener);
    },
  };
}
